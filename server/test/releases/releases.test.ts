// @module-tag full
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { loadAnchors, verifyChain } from '../../src/books/audit/verify.ts';
import { readManifest } from '../../src/backup/manifest.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { checkBook } from '../../src/books/ledger/check.ts';
import { checkCounters } from '../../src/books/lists/counters.ts';
import { migrationsDirectory, readMigrations } from '../../src/database/migration-files.ts';
import { emptyDatabase, queryAt, type TestDatabase } from '../database.ts';
import { ADMIN, call, login, testServer } from '../server.ts';
import { unpackBackup } from './packed.ts';

/** Backups that earlier programs made, oldest first. Each release adds one. */
const RELEASES = ['0.1.0'];

const { appRole } = inject('cluster');
const files = readMigrations(migrationsDirectory());
const listed = files.map(({ version, name, checksum }) => ({ version, name, checksum }));
let folder: string;
let database: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengtai-release-'));
  database = await emptyDatabase();
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const restore = (from: string) =>
  restoreBackup({
    databaseUrl: database.url,
    dataDir: join(folder, 'data'),
    auditDir: join(folder, 'data'),
    folder: from,
    migrate: { appRole },
  });

async function fetchMigrations(): Promise<unknown[]> {
  return queryAt(database.url, 'select version, name, checksum from schema_migration order by version');
}

test.each(RELEASES)('the backup of %s is restored, migrated and served', async (release) => {
  const from = join(folder, 'backup');
  await unpackBackup(release, from);
  await restore(from);
  expect(await fetchMigrations()).toEqual(listed);
  const auditDir = join(folder, 'data');
  const server = await testServer({ jobs: false, existing: { database, auditDir } });
  try {
    expect(await checkBook(server.owner)).toEqual([]);
    expect(await checkCounters(server.owner)).toEqual([]);
    const anchors = await loadAnchors(auditDir, server.app.auditKey);
    expect(await verifyChain(server.owner, anchors)).toMatchObject({ ok: true });
    const token = await login(server, ADMIN.account, ADMIN.password);
    for (const list of ['withdraw/list', 'recharge/list', 'fund/record', 'user/list', 'audit/list']) {
      const response = await call<{ total: number }>(server, 'GET', list, {}, { token });
      expect(response, list).toMatchObject({ code: 200 });
      expect(response.data.total, list).toBeGreaterThan(0);
    }
  } finally {
    await server.stop();
  }
});

test('the migrations of released versions have not changed', async () => {
  for (const release of RELEASES) {
    await unpackBackup(release, join(folder, release));
    const { migrations } = await readManifest(join(folder, release));
    expect(migrations.length).toBeGreaterThan(5);
    expect(listed.slice(0, migrations.length)).toEqual(migrations);
  }
});
