import { createReadStream, existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { makeFolder } from '../host/make-folder.ts';
import { openPool } from '../database/connect.ts';
import { type MigrateOptions, migrate } from '../database/migrate.ts';
import { type BackupOptions, externalFilePath, computeProof, readAnchors } from './backup.ts';
import {
  type Table,
  copyIn,
  copyOut,
  countCopied,
  rebuildCounters,
  dropReferences,
  emptyTables,
  findIdentities,
  findMigrations,
  findTables,
  isInUse,
  setIdentities,
} from './backup.store.ts';
import { DigestStream } from './digest.ts';
import { type Manifest, type TableCopy, filePath, readManifest, tablePath } from './manifest.ts';

export interface RestoreOptions extends Omit<BackupOptions, 'now'> {
  migrate?: MigrateOptions;
}

/**
 * Restores a backup into an empty installation and verifies it: every table must give the same bytes, the ledger and
 * the audit chain the same proof. If the verification fails, the rows and files are removed.
 *
 * @throws Error for an installation that is in use, a damaged backup, and a backup of a newer or another release
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(options.folder);
  const written: string[] = [];
  const client = new Client({ connectionString: options.databaseUrl, application_name: 'hengtai-restore' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Rows are loaded without counting them; the counters are rebuilt at the end.
    await client.query(`set app.counters = 'paused'`);
    await makeSchema(client, options, manifest);
    await placeFiles(options, manifest, written);
    await load(client, options, manifest);
    await migrate(options.databaseUrl, options.migrate);
    return manifest;
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates the schema of the backup's release. Later migrations run after the data is loaded, as in an upgrade. */
async function makeSchema(client: Client, options: RestoreOptions, { migrations }: Manifest): Promise<void> {
  if (await isInUse(client)) {
    throw new Error(
      'This installation is in use: restore into an empty DATA_DIR or database. 目标已有数据，请换一个空目录。',
    );
  }
  const upTo = Math.max(...migrations.map(({ version }) => version));
  await migrate(options.databaseUrl, { ...options.migrate, upTo });
  if (!isDeepStrictEqual(await findMigrations(client), migrations)) {
    throw new Error(
      'The backup was made by a newer or another release: restore it with that one. 备份版本与程序不符。',
    );
  }
}

async function load(client: Client, options: RestoreOptions, manifest: Manifest): Promise<void> {
  const tables = await findTables(client);
  await requireSameShape(client, tables, manifest);
  await client.query('begin');
  try {
    await emptyTables(client, tables);
    const addReferences = await dropReferences(client);
    for (const copy of manifest.tables) await loadTable(client, options.folder, copy);
    await addReferences();
    for (const copy of manifest.tables) {
      const key = tables.find(({ name }) => name === copy.table)?.key ?? [];
      await verifyTable(client, copy, key);
    }
    await setIdentities(client, manifest.identities);
    await rebuildCounters(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  const { db, end } = openPool({ url: options.databaseUrl, max: 1, name: 'hengtai-restore', onError: () => undefined });
  try {
    const proof = await computeProof(client, db, await readAnchors(options));
    if (isDeepStrictEqual(proof, manifest.proof)) return;
    await emptyTables(client, tables);
    throw new Error(`The restored data does not match the backup: ${JSON.stringify(proof)}. 恢复校验失败。`);
  } finally {
    await end();
  }
}

/**
 * A table that the manifest does not name would be empty, and another one is not part of an installation.
 *
 * @throws Error unless the backup has exactly the tables, columns and identities of its release
 */
async function requireSameShape(
  client: Client,
  tables: readonly Table[],
  { tables: copies, identities }: Manifest,
): Promise<void> {
  const expected = [
    ...tables.map(({ name, columns }) => `${name}(${columns.toSorted().join()})`),
    ...(await findIdentities(client)).map(({ table, column }) => `${table}.${column}`),
  ];
  const found = [
    ...copies.map(({ table, columns }) => `${table}(${columns.toSorted().join()})`),
    ...identities.map(({ table, column }) => `${table}.${column}`),
  ];
  const isEqual = isDeepStrictEqual(found.toSorted(), expected.toSorted());
  const [first] = [
    ...found.filter((one) => !expected.includes(one)),
    ...expected.filter((one) => !found.includes(one)),
  ];
  if (!isEqual)
    throw new Error(`The backup does not have the tables of its release: ${first ?? 'one twice'}. 备份与版本不符。`);
}

async function loadTable(client: Client, folder: string, { table, columns }: TableCopy): Promise<void> {
  const rows = client.query(copyFrom(copyIn(table, columns)));
  await pipeline(createReadStream(tablePath(folder, table)), createGunzip(), rows);
}

async function verifyTable(client: Client, { table, columns, rows, sha256 }: TableCopy, key: string[]): Promise<void> {
  const digest = new DigestStream();
  const out = client.query(copyTo(copyOut({ name: table, columns, key })));
  await pipeline(out, digest.resume());
  if ((await countCopied(client, out)) !== rows || digest.sha256() !== sha256) {
    throw new Error(`Table ${table} does not match the backup after the restore. 恢复校验失败。`);
  }
}

/** Writes the external files. An existing file with other content belongs to another installation and is an error. */
async function placeFiles(options: RestoreOptions, { files }: Manifest, written: string[]): Promise<void> {
  for (const { name } of files) {
    const path = externalFilePath(name, options);
    const content = await readFile(filePath(options.folder, name));
    if (existsSync(path)) {
      if (content.equals(await readFile(path))) continue;
      throw new Error(`${path} already exists: restore into an empty DATA_DIR. 目标已有数据，请换一个空目录。`);
    }
    makeFolder(dirname(path));
    // Never through a link.
    await writeFile(path, content, { mode: 0o600, flag: 'wx' });
    written.push(path);
  }
}
