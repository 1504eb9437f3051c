import type { EventAnswer, PlatformEvent } from '@hengtai/contract/gateway.schema';
import type { Feed } from './feed.ts';
import { log } from './log.ts';
import { readMarkets } from './market.ts';
import { estimateProgress, past } from './past.ts';
import { createSimulation } from './simulation.ts';
import { freshState, saveState, type Past, type State } from './state.ts';
import { type Options, setBalance, type World } from './world.ts';

interface Place {
  stateFile: string;
  now: () => number;
  reportProgress?: ((progress: number) => void) | undefined;
}

/**
 * Sends the past to the server, continuing where an earlier process stopped, and then goes live. Only the number
 * of answered batches is stored; the batches are generated again.
 */
export async function moveIn(state: State, feed: Feed, options: Options, place: Place): Promise<void> {
  if (state.startedAt === 0) await begin(state, feed, options, place);
  if (state.past) await tell(state, state.past, feed, options, place);
  if (state.live) return;
  await feed.goLive();
  state.live = true;
  saveState(place.stateFile, state);
}

async function begin(state: State, feed: Feed, { users, days }: Options, { stateFile, now }: Place): Promise<void> {
  const markets = readMarkets(await feed.read('markets'));
  state.startedAt = now();
  state.scale = { users, days };
  state.past = { markets, sent: 0, refused: [] };
  saveState(stateFile, state);
}

async function tell(state: State, told: Past, feed: Feed, options: Options, place: Place): Promise<void> {
  const since = place.now();
  const world = pastWorld(state, told, options);
  let number = 0;
  let events = 0;
  const progressAt = estimateProgress(world);
  const parcels = past(world);
  for (let next = parcels.next(); !next.done;) {
    const parcel = next.value;
    number += 1;
    if (number <= told.sent) {
      next = parcels.next();
      continue;
    }
    // Generates the next batch while the server processes this one.
    const [answers, after] = await Promise.all([feed.send(parcel), soon(() => parcels.next())]);
    note(told, parcel, answers);
    place.reportProgress?.(progressAt(parcel));
    told.sent = number;
    events += parcel.length;
    saveState(place.stateFile, state);
    next = after;
  }
  await adopt(state, world, told, feed);
  place.reportProgress?.(1);
  saveState(place.stateFile, state);
  log('history imported', { events, refused: told.refused.length, seconds: Math.round((place.now() - since) / 1_000) });
}

/** Runs CPU work after the pending request has been written to the socket. */
const soon = async <T>(work: () => T): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve));
  return work();
};

/** An empty world at the beginning of the past. */
export function pastWorld(
  state: Pick<State, 'seed' | 'startedAt' | 'scale'>,
  told: Pick<Past, 'markets'>,
  options: Options,
): World {
  const { seed, startedAt, scale } = state;
  const world = createSimulation(options, { ...freshState(seed), startedAt, scale });
  world.markets = told.markets;
  return world;
}

function note(told: Past, parcel: readonly PlatformEvent[], answers: readonly EventAnswer[]): void {
  const reasons = new Map<string, number>();
  answers.forEach(({ result, reason }, index) => {
    const event = parcel[index];
    if (result !== 'rejected' || !event) return;
    const why = `${event.type}: ${reason ?? ''}`;
    reasons.set(why, (reasons.get(why) ?? 0) + 1);
    const { data } = event;
    told.refused.push({ account: 'account' in data ? (data.account ?? '') : '', no: 'no' in data ? data.no : '' });
  });
  if (reasons.size > 0) log('events of the history were rejected', { reasons: Object.fromEntries(reasons) });
}

/**
 * Copies the state at the end of the past into the live state. For accounts with rejected events the balances come
 * from the server.
 */
async function adopt(state: State, world: World, told: Past, feed: Feed): Promise<void> {
  const { counters, prices, recharges, open, identities, orders, positions, subscriptions } = world.state;
  for (const { no } of told.refused) {
    delete recharges[no];
    delete open[no];
    delete orders[no];
    delete positions[no];
    delete subscriptions[no];
  }
  for (const account of new Set(told.refused.map((one) => one.account))) {
    if (account !== '') await believe(world, account, feed);
  }
  Object.assign(state, {
    counters,
    prices,
    recharges,
    open,
    identities,
    orders: { ...state.orders, ...orders },
    positions: { ...state.positions, ...positions },
    subscriptions,
    balances: world.state.balances,
  });
  state.veterans = [...world.veterans];
  delete state.past;
}

async function believe(world: World, account: string, feed: Feed): Promise<void> {
  for (const key of Object.keys(world.state.balances)) {
    if (key.startsWith(`${account}|`)) delete world.state.balances[key];
  }
  const balances = (await feed.readIfThere(`balances?account=${encodeURIComponent(account)}`)) as
    | { market: string; platform: number; active: string }[]
    | undefined;
  for (const { market, platform, active } of balances ?? []) setBalance(world, account, market, platform, active);
}
