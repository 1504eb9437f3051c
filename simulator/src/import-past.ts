import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { type Feed, ifExists } from './feed.ts';
import { log } from './log.ts';
import { parseMarkets } from './market.ts';
import { estimateProgress, generatePast } from './past.ts';
import { createSimulation } from './simulation.ts';
import { createState, saveState, type ImportState, type State } from './state.ts';
import { type Options, setBalance, type World } from './world.ts';

interface ImportContext {
  stateFile: string;
  now: () => number;
  reportProgress?: ((progress: number) => void) | undefined;
}

/**
 * Sends the past to the server, continuing where an earlier process stopped, and then goes live. Only the number
 * of answered batches is stored; the batches are generated again.
 */
export async function importPast(state: State, feed: Feed, options: Options, context: ImportContext): Promise<void> {
  if (state.startedAt === 0) await startPast(state, feed, options, context);
  if (state.past) await sendPast(state, state.past, feed, options, context);
  if (state.live) return;
  await feed.goLive();
  state.live = true;
  saveState(context.stateFile, state);
}

async function startPast(
  state: State,
  feed: Feed,
  { users, days }: Options,
  { stateFile, now }: ImportContext,
): Promise<void> {
  const markets = parseMarkets(await feed.read('markets', {}));
  state.startedAt = now();
  state.scale = { users, days };
  state.past = { markets, sent: 0, refused: [] };
  saveState(stateFile, state);
}

async function sendPast(
  state: State,
  past: ImportState,
  feed: Feed,
  options: Options,
  context: ImportContext,
): Promise<void> {
  const since = context.now();
  const world = createPastWorld(state, past, options);
  let number = 0;
  let events = 0;
  const progressAt = estimateProgress(world);
  const batches = generatePast(world);
  for (let next = batches.next(); !next.done;) {
    const batch = next.value;
    number += 1;
    if (number <= past.sent) {
      next = batches.next();
      continue;
    }
    // Generates the next batch while the server processes this one.
    const [answers, after] = await Promise.all([feed.send(batch), afterSend(() => batches.next())]);
    recordRejected(past, batch, answers);
    context.reportProgress?.(progressAt(batch));
    past.sent = number;
    events += batch.length;
    saveState(context.stateFile, state);
    next = after;
  }
  await finishPast(state, world, past, feed);
  context.reportProgress?.(1);
  saveState(context.stateFile, state);
  log('history imported', {
    events,
    refused: past.refused.length,
    seconds: Math.round((context.now() - since) / 1_000),
  });
}

/** Runs CPU work after the pending request has been written to the socket. */
const afterSend = async <T>(work: () => T): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve));
  return work();
};

/** An empty world at the beginning of the past. */
export function createPastWorld(
  state: Pick<State, 'seed' | 'startedAt' | 'scale'>,
  past: Pick<ImportState, 'markets'>,
  options: Options,
): World {
  const { seed, startedAt, scale } = state;
  const world = createSimulation(options, { ...createState(seed), startedAt, scale });
  world.markets = past.markets;
  return world;
}

function recordRejected(past: ImportState, batch: readonly PlatformEvent[], answers: readonly EventAnswer[]): void {
  const reasons = new Map<string, number>();
  answers.forEach(({ result, reason }, index) => {
    const event = batch[index];
    if (result !== 'rejected' || !event) return;
    const cause = `${event.type}: ${reason ?? ''}`;
    reasons.set(cause, (reasons.get(cause) ?? 0) + 1);
    const { data } = event;
    past.refused.push({ account: 'account' in data ? (data.account ?? '') : '', no: 'no' in data ? data.no : '' });
  });
  if (reasons.size > 0) log('events of the history were rejected', { reasons: Object.fromEntries(reasons) });
}

/**
 * Copies the state at the end of the past into the live state. For accounts with rejected events the balances come
 * from the server.
 */
async function finishPast(state: State, world: World, past: ImportState, feed: Feed): Promise<void> {
  const { counters, prices, recharges, open, identities, orders, positions, subscriptions, treasury } = world.state;
  for (const { no } of past.refused) {
    delete recharges[no];
    delete open[no];
    delete orders[no];
    delete positions[no];
    delete subscriptions[no];
  }
  for (const account of new Set(past.refused.map((one) => one.account))) {
    if (account !== '') await reloadBalances(world, account, feed);
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
    treasury,
    balances: world.state.balances,
  });
  state.veterans = [...world.veterans];
  delete state.past;
}

async function reloadBalances(world: World, account: string, feed: Feed): Promise<void> {
  for (const key of Object.keys(world.state.balances)) {
    if (key.startsWith(`${account}|`)) delete world.state.balances[key];
  }
  const balances = await ifExists(feed.read('balances', { account }));
  for (const { market, platform, active } of balances ?? []) setBalance(world, account, market, platform, active);
}
