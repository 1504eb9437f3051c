import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../../database/connect.ts';
import type { SealedRow } from './chain.ts';
import { type Head, headLine } from './head.ts';
import { makeHeadReader } from './head.store.ts';
import { readRows } from './verify.ts';

/** The chain as JSON lines: first the heads, then each row with its hashed fields. Format: docs/audit-chain.md. */
export async function* chainLines(
  rows: AsyncIterable<SealedRow> | Iterable<SealedRow>,
  nextHead: () => Promise<Head | undefined>,
): AsyncGenerator<string> {
  yield JSON.stringify({ type: 'audit.chain', version: 1 });
  for (let head = await nextHead(); head; head = await nextHead()) yield headLine(head);
  for await (const { seq, auditId, rule, hash, fields } of rows) {
    yield JSON.stringify({ type: 'audit.row', seq, auditId, rule, hash, fields });
  }
}

/**
 * Writes the chain to a new file of mode 600, because audit rows name customers.
 *
 * @throws Error if the file exists
 */
export async function exportChain(db: Db, path: string): Promise<void> {
  await pipeline(
    Readable.from(withNewlines(chainLines(readRows(db), makeHeadReader(db)))),
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
}

async function* withNewlines(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
