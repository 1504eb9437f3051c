// @module-tag full
// @module-tag soak
import { expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { runSoak } from './spot-soak.ts';

const SIZE = sized({
  full: { ms: 12_000, kills: 4, users: 60 },
  long: { ms: 600_000, kills: 20, users: 400 },
});

test('killing the exchange and the server loses and duplicates nothing', async () => {
  const { faults, kills, ...counts } = await runSoak({ ...SIZE, log: () => undefined });
  expect(faults).toEqual([]);
  expect(kills).toBe(SIZE.kills);
  expect(counts.orders).toBeGreaterThan(0);
  expect(counts.fills).toBeGreaterThan(0);
  expect(counts.positions).toBeGreaterThan(0);
  expect(counts.closes).toBeGreaterThan(0);
}, 1_200_000);
