import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { emptyDatabase, queryAt, testDatabase } from '../../test/database.ts';
import { planMigration, runMigration } from './migrate.ts';

const linesOf = async (run: () => Promise<void>): Promise<string> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await run();
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
};

test('names pending migrations and connected processes, then applies them', async () => {
  const database = await emptyDatabase();
  const plan = await linesOf(() => planMigration(database.url));
  expect(plan).toContain('migrations are pending');
  expect(plan).toContain('0001');
  expect(plan).toContain('No server is connected');
  expect(await linesOf(() => planMigration(database.url))).toBe(plan);
  expect(await linesOf(() => runMigration(database.url))).toContain('Applying 0001-operators …');
  expect(await linesOf(() => planMigration(database.url))).toContain('The schema is that of this release');
  await database.drop();
});

test('has nothing to do on a current schema', async () => {
  const database = await testDatabase();
  expect(await linesOf(() => runMigration(database.url))).toContain('The schema is that of this release');
  await database.drop();
});

test('names the servers that run, with their release, and the other programs that are connected', async () => {
  const database = await testDatabase();
  await queryAt(
    database.url,
    `insert into server_lease (id, release, schema_version, host, pid, started_at, seen_at)
     select gen_random_uuid(), '9.8.7', 15, host, 4711, 0, (extract(epoch from now()) * 1000)::bigint - age
     from (values ('alive.example', 29000), ('gone.example', 31000)) v(host, age)`,
  );
  const client = new Client({ connectionString: database.url, application_name: 'hengtai-backup' });
  await client.connect();
  const plan = await linesOf(() => planMigration(database.url));
  expect(plan).toContain('server of release 9.8.7 on alive.example (pid 4711, schema 15)');
  expect(plan).toMatch(/hengtai-backup from .*, 1 connections/);
  expect(plan).not.toContain('gone.example');
  await client.end();
  await database.drop();
});
