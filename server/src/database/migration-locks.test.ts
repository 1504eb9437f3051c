// @module-tag full
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type TestDatabase, emptyDatabase, queryAt } from '../../test/database.ts';
import { findWaitsWithLocks } from '../../test/migration-locks.ts';
import { migrate } from './migrate.ts';
import { migrationsDirectory, readMigrations, statementsFor } from './migration-files.ts';

// Decision 031: a migration waits for no lock while it holds one, so it is never part of a deadlock.

/** The last file from before this rule. The upgrade from version 0.1.0, which these files belong to, may need a pause. */
const LAST_WITHOUT_RULE = 14;
const { appRole } = inject('cluster');
let database: TestDatabase;

beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(() => database.drop());

describe('the check', () => {
  beforeEach(() =>
    queryAt(
      database.url,
      'drop schema public cascade; create schema public; create table a (id int primary key); create table b (id int)',
    ),
  );

  test.each([
    'alter table a add column x int; create index on a (x); update a set x = 1;',
    'create table n (id int references a); alter table n add column x int; insert into n select id from b;',
    `lock table a in access exclusive mode; lock table b in access exclusive mode nowait;
     alter table b add column x int; alter table a add column x int;`,
  ])('accepts %s', async (sql) => {
    expect(await findWaitsWithLocks(database.url, sql)).toEqual([]);
  });

  test.each([
    ['two tables', 'alter table a add column x int; alter table b add column x int;', 'waits for b while it holds a'],
    [
      'the target of a reference',
      'alter table b add column x int; create table n (id int references a);',
      'waits for a while it holds b',
    ],
    ['rows of another table', 'alter table a add column x int; update b set id = 1;', 'waits for b while it holds a'],
    [
      'a stronger lock of the same table',
      'create index on a (id); alter table a add column x int;',
      'waits for a while it holds a',
    ],
    ['one statement', 'lock table a, b in access exclusive mode;', 'waits for b while it holds a'],
  ])('finds a wait for %s', async (_what, sql, wait) => {
    const found = await findWaitsWithLocks(database.url, sql);
    expect(found).not.toEqual([]);
    for (const one of found) expect(one).toContain(wait);
  });
});

test('no migration waits for a lock while it holds one', async () => {
  await queryAt(database.url, 'drop schema public cascade; create schema public');
  await migrate(database.url, { appRole, upTo: LAST_WITHOUT_RULE });
  for (const migration of readMigrations(migrationsDirectory())) {
    if (migration.version <= LAST_WITHOUT_RULE) continue;
    const sql = statementsFor(migration, appRole);
    // Outside a transaction each statement releases its locks.
    if (!sql.startsWith('-- no-transaction'))
      expect(await findWaitsWithLocks(database.url, sql), migration.name).toEqual([]);
    await migrate(database.url, { appRole, upTo: migration.version });
  }
});
