// @module-tag full
// @module-tag soak
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { World } from './crash-world.ts';
import { EventSession, FAMILIES, plainSender } from './event-session.ts';

const EVENTS = sized({ full: 1_000, long: 20_000 });
const KILLS = sized({ full: 3, long: 24 });
const SEED = Number(process.env['TEST_SEED'] || randomInt(2 ** 31));

let world: World;
let session: EventSession;

beforeAll(async () => {
  world = await World.start();
  session = await EventSession.start(world, plainSender(world), SEED);
}, 240_000);
afterAll(() => world?.stop(), 120_000);

test('balances, holds and answers match the model while server and database are killed', async () => {
  await session.run(EVENTS, KILLS);
}, 3_600_000);

test('every event family was applied, and some kills left batches partly written', () => {
  process.stdout.write(session.summarize());
  const families = new Set([...session.appliedTypes].map((type) => type.split('.')[0]));
  expect(families).toEqual(new Set(FAMILIES));
  expect(session.counts.interrupted).toBeGreaterThan(0);
});
