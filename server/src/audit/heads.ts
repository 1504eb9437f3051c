import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from '../db/postgres-files.ts';
import { type KeyFormat, readKeyFile } from '../db/key-file.ts';

/** A signed statement that the chain had this hash at this place; kept outside the database, only ever appended to. */
export interface Head {
  seq: number;
  hash: string;
  at: number;
  signature: string;
}

const HEADS = 'audit-heads.jsonl';
export const AUDIT_KEY_FILE = 'audit-key.json';
const NEWLINE = 0x0a;

const signedText = (head: Pick<Head, 'seq' | 'hash' | 'at'>): Buffer =>
  Buffer.from(`${head.seq}\n${head.hash}\n${head.at}`);

/** Appends a head and does not return before it is on the disk. */
export async function appendHead(directory: string, head: Pick<Head, 'seq' | 'hash' | 'at'>): Promise<void> {
  const key = createPrivateKey(privateKey(directory));
  const line = JSON.stringify({ ...head, signature: sign(null, signedText(head), key).toString('base64') });
  const file = await open(join(directory, HEADS), 'a+', 0o600);
  try {
    await dropTorn(file);
    await file.appendFile(`${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A line that a power cut tore would spoil the next one, and nobody relied on it yet. */
async function dropTorn(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] === NEWLINE) return;
  const whole = (await file.readFile()).subarray(0, size);
  await file.truncate(whole.lastIndexOf(NEWLINE) + 1);
}

/** Made at the first seal. Only the service may read it: it signs the heads. */
function privateKey(directory: string): string {
  const path = join(directory, AUDIT_KEY_FILE);
  if (!existsSync(path)) {
    const { privateKey: made } = generateKeyPairSync('ed25519');
    const pem = made.export({ type: 'pkcs8', format: 'pem' }).toString();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Two processes may make one at the same moment: the first file is kept, and none is read half written.
    writePrivate(path, JSON.stringify({ privateKey: pem }));
  }
  return readKeyFile(path, auditKeyFormat);
}

export const auditKeyFormat: KeyFormat<string> = {
  expected: '{"privateKey"} with an Ed25519 key in PEM',
  parse: ({ privateKey: pem }) => {
    if (typeof pem !== 'string') return undefined;
    try {
      return createPrivateKey(pem).asymmetricKeyType === 'ed25519' ? pem : undefined;
    } catch {
      return undefined;
    }
  },
};

/** The heads in their order, and the first line that is no head of ours. */
export async function readHeads(directory: string): Promise<{ heads: Head[]; badLine: number | null }> {
  const path = join(directory, HEADS);
  if (!existsSync(path) || !existsSync(join(directory, AUDIT_KEY_FILE))) return { heads: [], badLine: null };
  const key = createPublicKey(createPrivateKey(privateKey(directory)));
  const heads: Head[] = [];
  const lines = (await readFile(path, 'utf8')).split('\n');
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const head = parseHead(line);
    // A torn last line is what a power cut leaves; nobody relied on it yet.
    if (!head && index === lines.length - 1) break;
    if (!head || !verify(null, signedText(head), key, Buffer.from(head.signature, 'base64')))
      return { heads, badLine: index + 1 };
    heads.push(head);
  }
  return { heads, badLine: null };
}

function parseHead(line: string): Head | undefined {
  try {
    const head: Partial<Head> = JSON.parse(line);
    const { seq, hash, at, signature } = head;
    if (seq === undefined || hash === undefined || at === undefined || signature === undefined) return undefined;
    return { seq, hash, at, signature };
  } catch {
    return undefined;
  }
}
