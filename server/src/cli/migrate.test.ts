import { expect, test, vi } from 'vitest';
import { emptyDatabase, testDatabase } from '../../test/database.ts';
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
  expect(await linesOf(() => runMigration(database.url))).toContain('0001');
  expect(await linesOf(() => planMigration(database.url))).toContain('The schema is that of this release');
  await database.drop();
});

test('has nothing to do on a current schema', async () => {
  const database = await testDatabase();
  expect(await linesOf(() => runMigration(database.url))).toContain('The schema is that of this release');
  await database.drop();
});
