import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { findAuditKey } from '../audit/audit-key.ts';
import type { Anchors } from '../audit/check.ts';
import { anchorsIn, verifySnapshot } from '../audit/verify.ts';
import { type Db, openPool } from '../db/connect.ts';
import { checkLedger } from '../ledger/check.ts';
import {
  type Table,
  beginSnapshot,
  copyOut,
  findIdentities,
  findMigrations,
  findSums,
  findTables,
  inSnapshot,
} from './backup.store.ts';
import { DigestStream } from './digest.ts';
import { type Manifest, type Proof, type TableCopy, digestOf, filePath, manifestPath, tablePath } from './manifest.ts';

export interface BackupOptions {
  databaseUrl: string;
  dataDir: string;
  auditDir: string;
  /** Made by the backup; must not exist or be empty. */
  folder: string;
  now: number;
}

/** What lies outside the database and belongs to it: the keys of the gateway and of one-time codes, the key and heads of the audit chain, and what the simulator remembers. */
export const EXTERNAL_FILES = [
  'platform-key.json',
  'otp-key.json',
  'simulator-state.json',
  'audit-key.json',
  'audit-heads.jsonl',
] as const;

/** Where such a file is: the copy of the heads may be kept on another disk. */
export const externalFilePath = (name: string, at: Pick<BackupOptions, 'dataDir' | 'auditDir'>): string =>
  join(name === 'audit-heads.jsonl' ? at.auditDir : at.dataDir, name);

/**
 * Copies the whole installation, running or not, as of one moment: every table by COPY in one snapshot, the files beside
 * it, and what a restore will be held against. The folder is private: it holds the keys.
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { databaseUrl, folder } = options;
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty: name another folder. 目标文件夹不为空。`);
  }
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // Before the snapshot: a head younger than it would accuse the copied chain of having been cut off.
  const anchors = await readAnchors(options);
  const files = await copyFiles(options);
  const client = new Client({ connectionString: databaseUrl, application_name: 'hengtai-backup' });
  client.on('error', () => undefined);
  const { db, end } = openPool({ url: databaseUrl, max: 1, name: 'hengtai-backup', onError: () => undefined });
  try {
    await client.connect();
    const snapshot = await beginSnapshot(client);
    const tables = await findTables(client);
    const manifest: Manifest = {
      format: 1,
      at: options.now,
      migrations: await findMigrations(client),
      tables: [],
      identities: await findIdentities(client),
      proof: await inSnapshot(db, snapshot, async (moment) => computeProof(client, moment, anchors)),
      files,
    };
    for (const table of tables) manifest.tables.push(await copyTable(client, table, folder));
    await client.query('rollback');
    await writeLast(manifestPath(folder), JSON.stringify(manifest, null, 2));
    return manifest;
  } finally {
    await client.end().catch(() => undefined);
    await end();
  }
}

/** What the audit chain of an installation is verified against. */
export const readAnchors = ({ dataDir, auditDir }: Pick<BackupOptions, 'dataDir' | 'auditDir'>): Promise<Anchors> =>
  anchorsIn(auditDir, findAuditKey(dataDir, auditDir));

/** What the book and the chain say at this moment. */
export async function computeProof(client: Client, db: Db, anchors: Anchors): Promise<Proof> {
  const { owed, head } = await findSums(client);
  const { ok, sealed, pending } = await verifySnapshot(db, anchors);
  // A backup may be of an older schema, so the records behind the holds are not read.
  return { owed, faults: await checkLedger(db), chain: { ok, sealed, pending, head } };
}

async function copyFiles(options: BackupOptions): Promise<Manifest['files']> {
  const files: Manifest['files'] = [];
  for (const name of EXTERNAL_FILES) {
    // Earlier releases kept the key of the audit chain in AUDIT_DIR.
    const path = [externalFilePath(name, options), join(options.auditDir, name)].find((one) => existsSync(one));
    if (path === undefined) continue;
    const content = await readFile(path);
    await writeFile(filePath(options.folder, name), content, { mode: 0o600 });
    files.push({ name, sha256: digestOf(content) });
  }
  return files;
}

async function copyTable(client: Client, table: Table, folder: string): Promise<TableCopy> {
  const digest = new DigestStream();
  const rows = client.query(copyTo(copyOut(table)));
  const file = createWriteStream(tablePath(folder, table.name), { mode: 0o600, flush: true });
  await pipeline(rows, digest, createGzip({ level: 3 }), file);
  return { table: table.name, columns: table.columns, rows: rows.rowCount, sha256: digest.sha256() };
}

/** The manifest makes the folder a backup, so it appears whole or not at all. */
async function writeLast(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.part`, `${text}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
}
