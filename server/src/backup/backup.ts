import { createWriteStream, existsSync } from 'node:fs';
import { chmod, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { findAuditKey } from '../host/audit-key.ts';
import type { Anchors } from '../books/audit/check.ts';
import { loadAnchors, verifySnapshot } from '../books/audit/verify.ts';
import { type Db, openPool } from '../database/connect.ts';
import { makeFolder } from '../host/make-folder.ts';
import { checkLedger } from '../books/ledger/check.ts';
import {
  type Table,
  beginSnapshot,
  copyOut,
  countCopied,
  findIdentities,
  findMigrations,
  fetchBalancesAndHead,
  findTables,
  inSnapshot,
} from './backup.store.ts';
import { DigestStream } from './digest.ts';
import {
  EXTERNAL_FILES,
  type Manifest,
  type Proof,
  type TableCopy,
  digestOf,
  filePath,
  manifestPath,
  tablePath,
} from './manifest.ts';

export interface BackupOptions {
  databaseUrl: string;
  dataDir: string;
  auditDir: string;
  /** The folder to create; it may exist if it is empty. */
  folder: string;
  now: number;
}

/** Path of an external file. The heads are in AUDIT_DIR, which may be on another disk. */
export const externalFilePath = (name: string, at: Pick<BackupOptions, 'dataDir' | 'auditDir'>): string =>
  join(name === 'audit-heads.jsonl' ? at.auditDir : at.dataDir, name);

/**
 * Backs up the whole installation, running or not: all tables in one snapshot, the external files, and a manifest that
 * a restore is verified with. Only the owner may read the folder, because it contains keys.
 *
 * @throws Error if the folder is not empty
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { databaseUrl, folder } = options;
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty: name another folder. 目标文件夹不为空。`);
  }
  makeFolder(join(folder, 'files'));
  await chmod(folder, 0o700);
  // Read before the snapshot: a head newer than the snapshot would make the copied chain look truncated.
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
      proof: await inSnapshot(db, snapshot, async (snapshotDb) => computeProof(client, snapshotDb, anchors)),
      files,
    };
    for (const table of tables) manifest.tables.push(await copyTable(client, table, folder));
    await client.query('rollback');
    await writeManifest(manifestPath(folder), JSON.stringify(manifest, null, 2));
    return manifest;
  } finally {
    await client.end().catch(() => undefined);
    await end();
  }
}

/** The heads and the key that the audit chain of an installation is verified with. */
export const readAnchors = ({ dataDir, auditDir }: Pick<BackupOptions, 'dataDir' | 'auditDir'>): Promise<Anchors> =>
  loadAnchors(auditDir, findAuditKey(dataDir, auditDir));

/** Computes the balances, the result of the ledger check and of the audit chain; equal data gives an equal proof. */
export async function computeProof(client: Client, db: Db, anchors: Anchors): Promise<Proof> {
  const { owed, head } = await fetchBalancesAndHead(client);
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
  return {
    table: table.name,
    columns: table.columns,
    rows: await countCopied(client, rows),
    sha256: digest.sha256(),
  };
}

/** Writes the manifest atomically, because its presence marks the backup as complete. */
async function writeManifest(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, `${text}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
}
