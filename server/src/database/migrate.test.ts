// @module-tag full
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { migrate, planOf } from './migrate.ts';
import { migrationsHash } from './migration-files.ts';

// These tests need databases without migrations, so they do not clone the template.
const { baseUrl, clonePrefix } = inject('cluster');
const name = `${clonePrefix}migrate`;
const role = `${name}_app`;
const url = urlOf(name);
let admin: Client;
let directory: string;

beforeAll(async () => {
  admin = new Client({ connectionString: baseUrl });
  await admin.connect();
});

beforeEach(async () => {
  await admin.query(`create database ${name}`);
  directory = mkdtempSync(join(tmpdir(), 'migrations-'));
});

afterEach(async () => {
  rmSync(directory, { recursive: true });
  await admin.query(`drop database ${name} with (force)`);
  await admin.query(`drop role if exists ${role}`);
});

afterAll(() => admin.end());

function urlOf(database: string): string {
  const result = new URL(baseUrl);
  result.pathname = `/${database}`;
  return result.toString();
}

function write(file: string, sql: string): void {
  writeFileSync(join(directory, file), sql);
}

async function fetchRows(connection: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: connection });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('each file runs once, in order, and new files run later', async () => {
  write('0001-first.sql', 'create table a (id int); insert into a values (1);');
  write('0002-second.sql', 'insert into a select id + 1 from a;');
  expect(await migrate(url, { directory })).toEqual({ applied: ['0001-first', '0002-second'] });
  expect(await migrate(url, { directory })).toEqual({ applied: [] });
  write('0003-third.sql', 'insert into a values (9);');
  expect(await migrate(url, { directory })).toEqual({ applied: ['0003-third'] });
  expect(await fetchRows(url, 'select id from a order by id')).toEqual([{ id: 1 }, { id: 2 }, { id: 9 }]);
});

test('concurrent processes apply each file once', async () => {
  write('0001-first.sql', 'create table a (id int); select pg_sleep(0.2); grant select on a to {{app}};');
  write('0002-second.sql', 'insert into a values (1);');
  const results = await Promise.all(Array.from({ length: 8 }, () => migrate(url, { directory })));
  expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['0001-first', '0002-second']);
  expect(await fetchRows(url, 'select id from a')).toEqual([{ id: 1 }]);
});

test('a failed file is rolled back and named in the error', async () => {
  write('0001-first.sql', 'create table a (id int);');
  write('0002-wrong.sql', 'create table b (id int); select 1 / 0;');
  await expect(migrate(url, { directory })).rejects.toThrow('Migration 0002-wrong failed: division by zero');
  expect(await fetchRows(url, "select to_regclass('a') as a, to_regclass('b') as b")).toEqual([{ a: 'a', b: null }]);
  write('0002-wrong.sql', 'create table b (id int);');
  expect(await migrate(url, { directory })).toEqual({ applied: ['0002-wrong'] });
});

test('a file outside a transaction runs statement by statement', async () => {
  write('0001-first.sql', 'create table a (id int);');
  write(
    '0002-index.sql',
    '-- no-transaction\n-- Two indexes;\ncreate index concurrently if not exists x on a (id);\n' +
      'create index concurrently if not exists y\n  on a (id desc);\n',
  );
  expect((await migrate(url, { directory })).applied).toHaveLength(2);
  expect(
    await fetchRows(url, "select indexrelid::regclass::text as i from pg_index where indrelid = 'a'::regclass"),
  ).toEqual([{ i: 'x' }, { i: 'y' }]);
});

test('builds an index concurrently while another process waits for the lock', async () => {
  write('0001-first.sql', 'create table a (id int);');
  await migrate(url, { directory });
  write('0002-index.sql', '-- no-transaction\ncreate index concurrently if not exists x on a (id);\n');
  const writer = new Client({ connectionString: url });
  await writer.connect();
  // The open write transaction delays the index build until the second process waits for the lock.
  await writer.query('begin; insert into a values (1)');
  const first = migrate(url, { directory });
  await vi.waitUntil(async () => (await countActive('%create index concurrently%')) === 1, { timeout: 30_000 });
  const second = migrate(url, { directory });
  await vi.waitUntil(async () => (await countActive('%migration_lock where id = 1%')) + (await countRolledBack()) > 0, {
    timeout: 30_000,
  });
  await writer.query('commit');
  await writer.end();
  const applied = (await Promise.all([first, second])).flatMap((one) => one.applied);
  expect(applied).toEqual(['0002-index']);
});

test('a plan names what is pending and changes nothing', async () => {
  write('0001-first.sql', 'create table a (id int);');
  write('0002-second.sql', 'create table b (id int);');
  expect(await planOf(url, directory)).toEqual({ pending: ['0001-first', '0002-second'], newer: [] });
  await migrate(url, { directory, upTo: 1 });
  expect(await planOf(url, directory)).toEqual({ pending: ['0002-second'], newer: [] });
  write('0001-first.sql', 'create table a (id bigint);');
  await expect(planOf(url, directory)).rejects.toThrow('was changed after');
});

test('gives up a lock that is not available, so that readers go on, and tries again', async () => {
  write('0001-first.sql', 'create table a (id int); create table b (id int);');
  await migrate(url, { directory });
  write('0002-columns.sql', 'alter table b add column x int; alter table a add column y int;');
  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin; select from a');
  const reports: string[] = [];
  const migrating = migrate(url, { directory, report: (line) => void reports.push(line) });
  await vi.waitUntil(() => reports.some((line) => line.includes('trying again')), { timeout: 30_000 });
  // Between two attempts nothing is locked: the part that was done is undone.
  await reader.query('select from b; commit');
  await reader.end();
  expect(await migrating).toEqual({ applied: ['0002-columns'] });
});

test('gives up a lock outside a transaction as well', async () => {
  write('0001-first.sql', 'create table a (id int);');
  await migrate(url, { directory });
  write(
    '0002-column.sql',
    '-- no-transaction\ncreate index concurrently if not exists x on a (id);\nalter table a add column if not exists y int;\n',
  );
  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin; select from a');
  const reports: string[] = [];
  const migrating = migrate(url, { directory, report: (line) => void reports.push(line) });
  await vi.waitUntil(() => reports.some((line) => line.includes('trying again')), { timeout: 30_000 });
  await reader.query('commit');
  await reader.end();
  expect(await migrating).toEqual({ applied: ['0002-column'] });
});

/** Number of active sessions of the test database whose statement matches a pattern. */
async function countActive(like: string): Promise<number> {
  const { rowCount } = await admin.query(
    `select from pg_stat_activity where datname = $1 and state = 'active' and query like $2`,
    [name, like],
  );
  return rowCount ?? 0;
}

/** Number of sessions that rolled back and will poll the lock again. */
async function countRolledBack(): Promise<number> {
  const { rowCount } = await admin.query(
    `select from pg_stat_activity where datname = $1 and state = 'idle' and query = 'rollback'`,
    [name],
  );
  return rowCount ?? 0;
}

test('rebuilds an index whose build was interrupted', async () => {
  write('0001-first.sql', 'create table a (id int); insert into a values (1), (1);');
  await migrate(url, { directory });
  const unique = 'create unique index concurrently if not exists x on a (id);\n';
  write('0002-index.sql', `-- no-transaction\n${unique}`);
  await expect(migrate(url, { directory })).rejects.toThrow('0002-index');
  const valid = () => fetchRows(url, "select indisvalid as valid from pg_index where indexrelid = to_regclass('x')");
  expect(await valid()).toEqual([{ valid: false }]);
  await fetchRows(url, 'delete from a');
  expect((await migrate(url, { directory })).applied).toEqual(['0002-index']);
  expect(await valid()).toEqual([{ valid: true }]);
});

test('rejects an applied file that was edited, except for line ends', async () => {
  write('0001-first.sql', 'create table a (id int);\n');
  await migrate(url, { directory });
  write('0001-first.sql', 'create table a (id int);\r\n');
  expect(await migrate(url, { directory })).toEqual({ applied: [] });
  write('0001-first.sql', 'create table a (id bigint);\n');
  await expect(migrate(url, { directory })).rejects.toThrow('Migration 0001-first was changed');
});

test('rejects a new file numbered before an applied one, and an applied one that the program does not know', async () => {
  write('0001-first.sql', 'select 1;');
  write('0003-third.sql', 'select 1;');
  await migrate(url, { directory });
  write('0002-second.sql', 'select 1;');
  await expect(migrate(url, { directory })).rejects.toThrow('0002-second comes before 0003-third');
  rmSync(join(directory, '0002-second.sql'));
  rmSync(join(directory, '0003-third.sql'));
  write('0004-fourth.sql', 'select 1;');
  await expect(migrate(url, { directory })).rejects.toThrow('has 0003-third, which this program does not know');
});

test('leaves the schema of a newer release as it is if it serves this one', async () => {
  write('0001-first.sql', 'select 1;');
  write('0002-second.sql', 'select 1;');
  await migrate(url, { directory });
  rmSync(join(directory, '0002-second.sql'));
  expect(await migrate(url, { directory })).toEqual({ applied: [] });
  expect(await planOf(url, directory)).toEqual({ pending: [], newer: ['0002-second'] });
});

test('rejects a file whose oldest served schema is not among its first comments, or newer than itself', async () => {
  const wrong = ['select 1;\n-- serves-from: 0001\n', '-- serves-from: 1\n', '-- serves-from: 0003\nselect 1;\n'];
  for (const sql of wrong) {
    write('0002-second.sql', sql);
    await expect(migrate(url, { directory }), sql).rejects.toThrow('its first lines must have "-- serves-from: NNNN"');
  }
});

test('rejects wrong file names and duplicate numbers', async () => {
  write('1-first.sql', 'select 1;');
  await expect(migrate(url, { directory })).rejects.toThrow('0001-what-it-does.sql');
  rmSync(join(directory, '1-first.sql'));
  write('0001-a.sql', 'select 1;');
  write('0001-b.sql', 'select 1;');
  await expect(migrate(url, { directory })).rejects.toThrow('0001-b: its number is taken');
});

test('creates the app role, which cannot log in', async () => {
  write('0001-first.sql', 'create table a (id int); grant select on a to {{app}};');
  await migrate(url, { directory });
  expect(await fetchRows(url, `select rolcanlogin as login from pg_roles where rolname = '${role}'`)).toEqual([
    { login: false },
  ]);
  expect(await fetchRows(url, `select has_table_privilege('${role}', 'a', 'select') as may`)).toEqual([{ may: true }]);
});

test('an owner that is not a superuser can migrate', async () => {
  const owner = `${name}_owner`;
  await admin.query(`create role ${owner} login createrole password 'test'`);
  await admin.query(`alter database ${name} owner to ${owner}`);
  try {
    write('0001-first.sql', 'create table a (id int); grant select on a to {{app}};');
    const ownerUrl = new URL(url);
    ownerUrl.username = owner;
    ownerUrl.password = 'test';
    await migrate(ownerUrl.toString(), { directory });
    expect(await migrate(ownerUrl.toString(), { directory })).toEqual({ applied: [] });
    expect(await fetchRows(url, `select has_table_privilege('${role}', 'a', 'select') as may`)).toEqual([
      { may: true },
    ]);
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.query(`create database ${name}`);
    await admin.query(`drop role if exists ${role}`);
    await admin.query(`drop role ${owner}`);
  }
});

test('the hash is stable', () => {
  expect(migrationsHash()).toBe(migrationsHash());
  expect(migrationsHash()).toMatch(/^[0-9a-f]{12}$/);
});
