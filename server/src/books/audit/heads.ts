import { createPublicKey, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditKey } from '../../host/audit-key.ts';
import { type Head, headLine, parseHead } from './head.ts';

/** One line of a file with copies of heads; `head` is undefined if the line is damaged. */
export interface HeadCopy {
  head: Head | undefined;
  line: number;
}

const HEADS = 'audit-heads.jsonl';
const NEWLINE = 0x0a;
/** Bytes read from the end of the file; enough for several lines. */
const TAIL_BYTES = 8_192;

/** Appends heads to the copy in AUDIT_DIR and waits until they are on disk (fsync). */
export async function appendHeads(directory: string, heads: readonly Head[]): Promise<void> {
  const file = await open(join(directory, HEADS), 'a+', 0o600);
  try {
    await dropIncompleteLine(file);
    await file.appendFile(heads.map((head) => `${headLine(head)}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes an incomplete last line after a power failure. Its head was not confirmed yet and is written again. */
async function dropIncompleteLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] === NEWLINE) return;
  const content = (await file.readFile()).subarray(0, size);
  await file.truncate(content.lastIndexOf(NEWLINE) + 1);
}

/**
 * Reads the last head from the file beside the key; undefined if nothing was sealed yet.
 *
 * @throws Error if the file is damaged
 */
export async function readLastHead({ lastHeadFile: path }: AuditKey): Promise<Head | undefined> {
  if (path === undefined || !existsSync(path)) return undefined;
  const head = parseHead(await readFile(path, 'utf8'));
  if (!head)
    throw new Error(
      `${path} is damaged: expected the last head of the audit chain as one line of JSON. Verify the chain, then move the ` +
        'file elsewhere and keep it; the next seal writes it again.',
    );
  return head;
}

/** Replaces the file beside the key, atomically. */
export async function writeLastHead({ lastHeadFile: path }: AuditKey, head: Head): Promise<void> {
  if (path === undefined) return;
  await writeFile(`${path}.part`, `${headLine(head)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
}

/** Reads the last head of the copy in AUDIT_DIR, from the end of the file. */
export async function findLastCopy(directory: string): Promise<Head | undefined> {
  const path = join(directory, HEADS);
  if (!existsSync(path)) return undefined;
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
    const lines = buffer.subarray(0, bytesRead).toString().split('\n').slice(0, -1);
    return lines.map(parseHead).findLast((head) => head !== undefined);
  } finally {
    await file.close();
  }
}

/** Reads the copy in AUDIT_DIR; empty if there is none. Lines of earlier releases are left out. */
export async function readCopies(directory: string): Promise<HeadCopy[]> {
  const path = join(directory, HEADS);
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.slice(0, -1).flatMap((text, index) => {
    const head = parseHead(text);
    return text === '' || (!head && parseEarlier(text)) ? [] : [{ head, line: index + 1 }];
  });
}

/** Reads heads from a file that also contains other lines, such as a log. */
export async function readHeadLines(path: string): Promise<HeadCopy[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.flatMap((text, index) => {
    const head = parseHead(text);
    return head ? [{ head, line: index + 1 }] : [];
  });
}

/** A head of an earlier release: not linked, and stored in AUDIT_DIR only. */
export interface EarlierHead {
  seq: number;
  hash: string;
}

/** @throws Error if a line of an earlier release is not signed with the oldest key, which was the only one then */
export async function readEarlierHeads(directory: string, auditKey: AuditKey): Promise<EarlierHead[]> {
  const path = join(directory, HEADS);
  if (!existsSync(path)) return [];
  const key = createPublicKey((auditKey.previous ?? auditKey).privateKey);
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.flatMap((text, index) => {
    const head = parseEarlier(text);
    if (!head) return [];
    const signed = Buffer.from(`${head.seq}\n${head.hash}\n${head.at}`);
    if (!verify(null, signed, key, Buffer.from(head.signature, 'base64')))
      throw new Error(`${path}: line ${index + 1} was not signed with the key of this installation.`);
    return [{ seq: head.seq, hash: head.hash }];
  });
}

function parseEarlier(line: string): (EarlierHead & { at: number; signature: string }) | undefined {
  try {
    const { seq, hash, at, signature } = JSON.parse(line) as Partial<EarlierHead & { at: number; signature: string }>;
    if (typeof seq !== 'number' || typeof hash !== 'string' || typeof at !== 'number') return undefined;
    return typeof signature === 'string' ? { seq, hash, at, signature } : undefined;
  } catch {
    return undefined;
  }
}
