import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DigestStream } from './digest.ts';

/** Description of a backup. It is written last, so a folder without it is incomplete. */
export interface Manifest {
  format: 1;
  /** Unix ms of the snapshot. */
  at: number;
  /** The migrations that were applied to the database. */
  migrations: AppliedMigration[];
  tables: TableCopy[];
  /** The next value of each identity, by table and column. */
  identities: { table: string; column: string; next: number }[];
  /** What the restored data must give again. */
  proof: Proof;
  /** Keys and signed heads from outside the database, with their SHA-256. */
  files: { name: string; sha256: string }[];
}

export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

/** One table in COPY's text format, in the order of its primary key. */
export interface TableCopy {
  table: string;
  columns: string[];
  rows: number;
  /** Of the uncompressed text. */
  sha256: string;
}

export interface Proof {
  /** What users own, frozen or not, by coin; decimal strings. */
  owed: { market: string; amount: string }[];
  /** Discrepancies that the ledger check found. */
  faults: string[];
  chain: { ok: boolean; sealed: number; pending: number; head: string | null };
}

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
    const digest = new DigestStream();
    await pipeline(createReadStream(tablePath(folder, table)), createGunzip(), digest.resume()).catch(() => undefined);
    if (digest.sha256() !== sha256) throw damaged(`table ${table}`);
  }
  for (const { name, sha256 } of manifest.files) {
    const content = await readFile(filePath(folder, name)).catch(() => undefined);
    if (content === undefined || digestOf(content) !== sha256) throw damaged(`file ${name}`);
  }
  return manifest;
}

const damaged = (what: string): Error => new Error(`The backup is damaged: ${what}. 备份文件已损坏。`);

function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(`${MANIFEST} is not JSON`);
  }
  const { format, tables, files, migrations } = (value ?? {}) as Partial<Manifest>;
  if (typeof format === 'number' && format !== 1)
    throw new Error('The backup was made by a newer release: restore it with that one. 备份版本与程序不符。');
  if (![tables, files, migrations].every((list) => Array.isArray(list))) throw damaged(`${MANIFEST} is not complete`);
  return value as Manifest;
}

/** Hexadecimal SHA-256. */
export const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
