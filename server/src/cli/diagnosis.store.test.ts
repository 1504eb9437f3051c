import { expect, test } from 'vitest';
import { provideServer } from '../../test/server.ts';
import * as diagnosis from './diagnosis.store.ts';

const server = provideServer({ jobs: false });

test('describes the database without people', async () => {
  const facts = await diagnosis.findDatabaseFacts(server.owner);
  expect(facts).toMatchObject({ encoding: 'UTF8', size: expect.any(Number) as number });
  expect(facts.version).toBeGreaterThanOrEqual(150_000);
  expect(Math.abs(facts.now - Date.now())).toBeLessThan(60_000);
  expect(Object.keys(await diagnosis.findSettings(server.owner))).toContain('max_connections');
  expect(await diagnosis.findLock(server.owner)).toBeNull();
  const tables = await diagnosis.findTableSizes(server.owner);
  expect(tables.find(({ name }) => name === 'withdraw')?.indexes).toBeGreaterThan(0);
  const connections = await diagnosis.countConnections(server.owner);
  expect(connections.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0);
  expect(await diagnosis.countWork(server.owner)).toEqual([]);
});
