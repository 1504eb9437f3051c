import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { testDatabase } from './database.ts';

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a clone is migrated, is entered as owner and as login role, and goes at the end', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  expect(one.url).not.toBe(other.url);
  expect(await ask(one.appUrl, 'select current_user as u')).toEqual([{ u: inject('cluster').login.role }]);
  expect(await ask(one.url, "select to_regclass('schema_migration') is not null as yes")).toEqual([{ yes: true }]);
  await Promise.all([one.drop(), other.drop()]);
  await expect(ask(one.url, 'select 1')).rejects.toThrow('does not exist');
});
