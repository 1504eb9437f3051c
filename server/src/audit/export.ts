import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../db/connect.ts';
import type { SealedRow } from './chain.ts';
import { type Head, headLine } from './head.ts';
import { headReader } from './head.store.ts';
import { readRows } from './verify.ts';

/**
 * The chain as lines of JSON: the heads, then each row with the fields that are hashed. The format is described in
 * docs/audit-chain.md.
 */
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

/** Writes the chain to a new file that only this user can read: audit rows name customers. */
export async function exportChain(db: Db, path: string): Promise<void> {
  await pipeline(
    Readable.from(withNewlines(chainLines(readRows(db), headReader(db)))),
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
}

async function* withNewlines(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
