import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { parseMarkets } from '../src/market.ts';
import { createPastWorld } from '../src/import-past.ts';
import { generatePast } from '../src/past.ts';
import { applyAnswer, step } from '../src/simulation.ts';
import type { World } from '../src/world.ts';
import { MARKETS } from './fake-gateway.ts';

/** Wednesday, 22:30 in China. */
export const START = Date.UTC(2025, 9, 8, 14, 30);
export const SCALE = { users: 160, days: 8 };

/** Simulates a whole past; returns its events and the world at the start. */
export function simulatePast(seed: string, startedAt = START, scale = SCALE) {
  const options = {
    seed,
    fail: 0.08,
    unknown: 0.04,
    late: 0.15,
    screenFaults: 0,
    walletFaults: {},
    speed: 6,
    ...scale,
  };
  const world = createPastWorld({ seed, startedAt, scale }, { markets: parseMarkets(MARKETS) }, options);
  const batches = [...generatePast(world)];
  return { world, batches, history: batches.flat() };
}

/** Longer than the live step, so that tests simulate hours in seconds. Prices and trades follow the steps. */
const STEP_MS = 5_000;

/** Simulates some seconds after the start against a server that applies every event. */
export function runPresent(
  world: World,
  seconds: number,
  onEvent?: (world: World, event: PlatformEvent) => void,
  stepMs = STEP_MS,
): PlatformEvent[] {
  const events: PlatformEvent[] = [];
  const { startedAt } = world.state;
  for (let now = startedAt; now < startedAt + seconds * 1_000; now += stepMs) {
    step(world, now);
    for (const event of world.state.queue.splice(0)) {
      events.push(event);
      const answer: EventAnswer = { eventId: event.eventId, result: 'applied' };
      applyAnswer(world, event, answer);
      onEvent?.(world, event);
    }
  }
  return events;
}

export const eventsOf = <T extends PlatformEvent['type']>(events: readonly PlatformEvent[], type: T) =>
  events.filter((event): event is Extract<PlatformEvent, { type: T }> => event.type === type);
