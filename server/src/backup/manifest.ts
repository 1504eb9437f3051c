import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Static, Type } from '@sinclair/typebox';
import { checkOf } from '../http/check-of.ts';
import { DigestStream } from './digest.ts';

/**
 * Files outside the database that belong to it: keys of gateway, one-time codes and audit chain, heads, simulator
 * state.
 */
export const EXTERNAL_FILES = [
  'platform-key.json',
  'otp-key.json',
  'simulator-state.json',
  'audit-key.json',
  'audit-heads.jsonl',
] as const;

// The manifest may come from anybody. Names become paths and identifiers, and some texts are printed.
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });
const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Line = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const AppliedMigration = Type.Object({ version: Count, name: Line, checksum: Line });
/** A migration that was applied to the database. */
export type AppliedMigration = Static<typeof AppliedMigration>;

const TableCopy = Type.Object({
  table: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  rows: Count,
  /** Of the uncompressed text. */
  sha256: Digest,
});
/** One table in COPY's text format, in the order of its primary key. */
export type TableCopy = Static<typeof TableCopy>;

const Proof = Type.Object({
  /** What users own, frozen or not, by coin; decimal strings. */
  owed: Type.Array(Type.Object({ market: Line, amount: Line })),
  /** Discrepancies that the ledger check found. */
  faults: Type.Array(Line),
  chain: Type.Object({
    ok: Type.Boolean(),
    sealed: Count,
    pending: Count,
    head: Type.Union([Line, Type.Null()]),
  }),
});
/** What the restored data must give again. */
export type Proof = Static<typeof Proof>;

const Manifest = Type.Object({
  format: Type.Literal(1),
  /** Unix ms of the snapshot. */
  at: Count,
  migrations: Type.Array(AppliedMigration, { minItems: 1 }),
  tables: Type.Array(TableCopy),
  /** The next value of each identity, by table and column. */
  identities: Type.Array(Type.Object({ table: Name, column: Name, next: Count })),
  proof: Proof,
  /** Keys and signed heads from outside the database, with their SHA-256. */
  files: Type.Array(
    Type.Object({ name: Type.Union(EXTERNAL_FILES.map((name) => Type.Literal(name))), sha256: Digest }),
  ),
});
/** Description of a backup. It is written last, so a folder without it is incomplete. */
export type Manifest = Static<typeof Manifest>;

const MANIFEST = 'manifest.json';

export const manifestPath = (folder: string): string => join(folder, MANIFEST);
export const tablePath = (folder: string, table: string): string => join(folder, `${table}.copy.gz`);
export const filePath = (folder: string, name: string): string => join(folder, 'files', name);

/**
 * Reads the manifest of a backup folder and verifies the digests of all files.
 *
 * @throws Error if the backup is incomplete, damaged or of a newer release
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = manifestPath(folder);
  if (!existsSync(path)) throw new Error(`${folder} contains no complete backup: ${MANIFEST} is missing. 备份不完整。`);
  const manifest = parseManifest(await readFile(path, 'utf8'));
  for (const { table, sha256 } of manifest.tables) {
    const file = tablePath(folder, table);
    const digest = new DigestStream();
    if (!(await isPlainFile(file))) throw damageError(`table ${table}`);
    await pipeline(createReadStream(file), createGunzip(), digest.resume()).catch(() => undefined);
    if (digest.sha256() !== sha256) throw damageError(`table ${table}`);
  }
  for (const { name, sha256 } of manifest.files) {
    const file = filePath(folder, name);
    const content = (await isPlainFile(file)) ? await readFile(file) : undefined;
    if (content === undefined || digestOf(content) !== sha256) throw damageError(`file ${name}`);
  }
  return manifest;
}

/** Links lead out of the folder, and reading a pipe does not end. */
const isPlainFile = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isFile() === true;

const damageError = (what: string): Error => new Error(`The backup is damaged: ${what}. 备份文件已损坏。`);

function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damageError(`${MANIFEST} is not JSON`);
  }
  const { format } = (value ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format !== 1)
    throw new Error('The backup was made by a newer release: restore it with that one. 备份版本与程序不符。');
  const check = checkOf(Manifest);
  if (check.Check(value)) return value;
  throw damageError(`${MANIFEST} is not complete at "${check.Errors(value).First()?.path ?? ''}"`);
}

/** Hexadecimal SHA-256. */
export const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
