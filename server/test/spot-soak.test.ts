import { expect, test } from 'vitest';
import { soak } from './spot-soak.ts';

test('an exchange that is killed with its server and comes back loses and doubles nothing', async () => {
  const { faults, kills, ...counts } = await soak({ ms: 12_000, kills: 4, users: 60, say: () => undefined });
  expect(faults).toEqual([]);
  expect(kills).toBe(4);
  expect(counts.orders).toBeGreaterThan(0);
  expect(counts.fills).toBeGreaterThan(0);
  expect(counts.positions).toBeGreaterThan(0);
  expect(counts.closes).toBeGreaterThan(0);
}, 300_000);
