// @module-tag full
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { loadAnchors, verifyChain } from '../../src/books/audit/verify.ts';
import { manifestPath, readManifest } from '../../src/backup/manifest.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { checkBook } from '../../src/books/ledger/check.ts';
import { checkCounters } from '../../src/books/lists/counters.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrationsDirectory, readMigrations } from '../../src/database/migration-files.ts';
import { compareSchemas, describeSchema, type SchemaDescription } from '../../src/database/schema.ts';
import { LAST_SQUASHED } from '../../src/database/unsquashed.ts';
import { emptyDatabase, queryAt, type TestDatabase, testDatabase } from '../database.ts';
import { ADMIN, call, login, testServer } from '../server.ts';
import { readUnsquashedDatabase, unpackBackup } from './packed.ts';

/** Backups that earlier programs made, oldest first. Each release adds one. */
const RELEASES = ['unsquashed', '0.1.0'];

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
  for (const release of RELEASES.slice(1)) {
    await unpackBackup(release, join(folder, release));
    const { migrations } = await readManifest(join(folder, release));
    expect(migrations.length).toBeGreaterThanOrEqual(LAST_SQUASHED);
    expect(listed.slice(0, migrations.length)).toEqual(migrations);
  }
});

describe('a database of the last revision before 0.1.0', () => {
  beforeEach(async () => {
    await unpackBackup('unsquashed', join(folder, 'backup'));
    const { migrations } = await readManifest(join(folder, 'backup'));
    await queryAt(database.url, await readUnsquashedDatabase(appRole));
    await queryAt(
      database.url,
      `insert into public.schema_migration (version, name, checksum, applied_at)
       select version, name, checksum, 0 from json_to_recordset('${JSON.stringify(migrations)}')
         as m(version int, name text, checksum text)`,
    );
  });

  const describeDatabase = async (url: string): Promise<SchemaDescription> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('begin');
      return await describeSchema(client, 'public', appRole);
    } finally {
      await client.end();
    }
  };

  test('has the schema of the squashed migrations and goes on, with any number of processes', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, { appRole })));
    expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(
      files.slice(LAST_SQUASHED).map(({ name }) => name),
    );
    expect(await fetchMigrations()).toEqual(listed);
    const migrated = await testDatabase();
    const expected = await describeDatabase(migrated.url);
    await migrated.drop();
    expect(expected.size).toBeGreaterThan(1500);
    expect(compareSchemas(await describeDatabase(database.url), expected)).toEqual([]);
  });

  test('is refused if its schema was changed, with the names of what differs', async () => {
    await queryAt(
      database.url,
      `drop index withdraw_coin; alter policy own_tree on users using (true); alter table recharge add column note text;
       grant delete on entry to "${appRole}"; grant update (price) on market to "${appRole}"; create table extra (id int);
       alter table hold drop constraint hold_limits; alter table audit disable row level security;
       alter table withdraw disable trigger count_withdraw_insert; drop trigger count_flows on entry;
       create or replace function counter_level(rows bigint) returns smallint language sql stable as 'select 0::smallint';
       alter function settle_seconds security invoker; update counter_source set block_bits = 3 where table_name = 'ieo'`,
    );
    const error: unknown = await migrate(database.url, { appRole }).catch((reason: unknown) => reason);
    expect(String(error).split('\n').slice(1)).toEqual([
      'column extra.id is unknown',
      'column recharge.note is unknown',
      'constraint hold_limits of hold is missing',
      'counted table ieo is different',
      'function counter_level(rows bigint) is different',
      'function settle_seconds(ids bigint[], recorded bigint) is different',
      'index withdraw_coin is missing',
      'policy own_tree of users is different',
      `privileges of ${appRole} on column market.price is unknown`,
      `privileges of ${appRole} on relation entry is different`,
      'table audit is different',
      'table extra is unknown',
      'trigger count_flows of entry is missing',
      'trigger count_withdraw_insert of withdraw is different',
    ]);
    expect(await fetchMigrations()).toHaveLength(68);
  });

  test('may have privileges of other roles, and checks that were not validated', async () => {
    const role = `${appRole}_reports`;
    await queryAt(database.url, `create role "${role}"; grant select on withdraw to "${role}"`);
    try {
      await migrate(database.url, { appRole });
      expect(await fetchMigrations()).toEqual(listed);
    } finally {
      await queryAt(database.url, `drop owned by "${role}"; drop role "${role}"`);
    }
  });

  test('is refused if it is older or newer', async () => {
    const newer = `insert into schema_migration values (69, '0069-other', '', 0)`;
    await queryAt(database.url, newer);
    await expect(migrate(database.url, { appRole })).rejects.toThrow('0069-other is of another program');
    await queryAt(database.url, 'delete from schema_migration where version > 52');
    await expect(migrate(database.url, { appRole })).rejects.toThrow(
      /its last migration is 0052-.* Start revision \w+/,
    );
    expect(await fetchMigrations()).toHaveLength(52);
  });
});

test('an older backup is refused before anything is written', async () => {
  const from = join(folder, 'backup');
  await unpackBackup('unsquashed', from);
  const manifest = await readManifest(from);
  const older = { ...manifest, migrations: manifest.migrations.slice(0, 67) };
  await writeFile(manifestPath(from), JSON.stringify(older));
  await expect(restore(from)).rejects.toThrow('older than version 0.1.0');
  expect(await queryAt(database.url, `select to_regclass('users') as users`)).toEqual([{ users: null }]);
});
