import type { EventAnswer, PlatformEvent } from '@hengtai/contract/gateway.schema';
import { readMarkets } from '../src/market.ts';
import { pastWorld } from '../src/move-in.ts';
import { past } from '../src/past.ts';
import { settle, step } from '../src/simulation.ts';
import type { World } from '../src/world.ts';
import { MARKETS } from './fake-gateway.ts';

/** A Wednesday, half past ten in the evening in China. */
export const START = Date.UTC(2025, 9, 8, 14, 30);
export const SCALE = { users: 160, days: 8 };

/** What a whole past tells, and the world as it then stands. */
export function settled(seed: string, startedAt = START, scale = SCALE) {
  const options = { seed, fail: 0.08, unknown: 0.04, late: 0.15, speed: 6, ...scale };
  const world = pastWorld({ seed, startedAt, scale }, { markets: readMarkets(MARKETS) }, options);
  const parcels = [...past(world)];
  return { world, parcels, told: parcels.flat() };
}

/** Coarser than the program's own, so that hours pass in seconds; prices move every two. */
const STEP_MS = 1_000;

/** Goes on by hand for some seconds of the present, against a server that applies everything. */
export function goOn(
  world: World,
  seconds: number,
  onEvent?: (world: World, event: PlatformEvent) => void,
): PlatformEvent[] {
  const events: PlatformEvent[] = [];
  const { startedAt } = world.state;
  for (let now = startedAt; now < startedAt + seconds * 1_000; now += STEP_MS) {
    step(world, now);
    for (const event of world.state.queue.splice(0)) {
      events.push(event);
      const answer: EventAnswer = { eventId: event.eventId, result: 'applied' };
      settle(world, event, answer);
      onEvent?.(world, event);
    }
  }
  return events;
}

export const of = <T extends PlatformEvent['type']>(events: readonly PlatformEvent[], type: T) =>
  events.filter((event): event is Extract<PlatformEvent, { type: T }> => event.type === type);
