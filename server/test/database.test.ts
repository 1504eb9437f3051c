import { expect, inject, test } from 'vitest';
import { queryAt, testDatabase } from './database.ts';

test('a clone is migrated, accepts the owner and the login role, and is dropped at the end', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  expect(one.url).not.toBe(other.url);
  expect(await queryAt(one.appUrl, 'select current_user as u')).toEqual([{ u: inject('cluster').login.role }]);
  expect(await queryAt(one.url, "select to_regclass('schema_migration') is not null as yes")).toEqual([{ yes: true }]);
  await Promise.all([one.drop(), other.drop()]);
  await expect(queryAt(one.url, 'select 1')).rejects.toThrow('does not exist');
});

test('no index asks for summaries, because PostgreSQL would cancel the vacuum of a large table that grows', async () => {
  const database = await testDatabase();
  const found = await queryAt(
    database.url,
    `select c.relname from pg_class c where 'autosummarize=on' = any(c.reloptions) or 'autosummarize=true' = any(c.reloptions)`,
  );
  expect(found).toEqual([]);
  await database.drop();
});
