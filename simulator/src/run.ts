import { emitAgent } from './agent.ts';
import type { Clock } from './clock.ts';
import { Feed, ifExists } from './feed.ts';
import { log } from './log.ts';
import { readSignals } from './follow.ts';
import { parseMarkets } from './market.ts';
import { importPast } from './import-past.ts';
import { createSimulation, handleCommand, applyAnswer, step } from './simulation.ts';
import { createState, loadState, saveState, type State } from './state.ts';
import { findHeldVersion, followRosters } from './wallet-signing.ts';
import { setFees } from './withdraw-limit.ts';
import type { Options, World } from './world.ts';

export interface RunOptions extends Options {
  url: string;
  key: string;
  secret: string;
  stateFile: string;
  clock: Clock;
  /** Longest wait of a poll for commands, in seconds. */
  wait: number;
  signal: AbortSignal;
  /** Receives the share of the history that the server has answered, 0 to 1. */
  reportProgress?: (progress: number) => void;
}

const STEP_MS = 200;
/** Events or acks per request; small enough for a fast answer and far below the gateway's limit. */
const BATCH = 250;
const MARKETS_EVERY_MS = 30_000;

/**
 * Runs the simulation until the signal aborts, then saves a state that the next run continues. Throws if the
 * server refuses a request for good.
 */
export async function run(options: RunOptions): Promise<void> {
  // If one loop fails, the other ends too: a half-running platform would look like a stuck wallet.
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const feed = new Feed({ ...options, signal });
  try {
    const state = await discardForeignState(feed, loadState(options.stateFile, options.seed), options);
    log('started', { seed: options.seed, resumed: state.startedAt > 0 });
    const { stateFile, reportProgress } = options;
    await importPast(state, feed, options, { stateFile, now: options.clock.now, reportProgress });
    const world = createSimulation(options, state);
    world.markets = parseMarkets(await feed.read('markets', {}));
    readSignals(world, await ifExists(feed.read('signals', {})));
    const loops = [runEvents(world, feed, options, signal), runCommands(world, feed, options)];
    try {
      await Promise.all(loops);
    } finally {
      ended.abort();
      await Promise.allSettled(loops);
      saveState(options.stateFile, state);
    }
  } catch (error) {
    // Calls that the end of the process has cut off are no failure.
    if (!options.signal.aborted) throw error;
  }
}

/**
 * Discards the state if the server has a new installation. It resends the first event of the past, which only a
 * new installation applies; any other reports a duplicate.
 */
async function discardForeignState(feed: Feed, state: State, options: RunOptions): Promise<State> {
  if (state.startedAt === 0) return state;
  const { startedAt, scale } = state;
  const world = createSimulation(options, { ...createState(options.seed), startedAt, scale });
  emitAgent(world, 0);
  const [answer] = await feed.send(world.state.queue);
  if (answer?.result !== 'applied') return state;
  log('the server has a new installation, starting from the beginning');
  return createState(options.seed);
}

/** Steps the simulation and sends its events. While the server does not answer, the simulation stops. */
async function runEvents(world: World, feed: Feed, options: RunOptions, signal: AbortSignal): Promise<void> {
  let marketsAt = options.clock.now() + MARKETS_EVERY_MS;
  let hasEvents = false;
  while (!signal.aborted) {
    if (options.clock.now() >= marketsAt) {
      world.markets = parseMarkets(await feed.read('markets', {}));
      marketsAt = options.clock.now() + MARKETS_EVERY_MS;
    }
    step(world, options.clock.now());
    const hadEvents = hasEvents;
    hasEvents = world.state.queue.length > 0;
    // Saves the results of the last answers once no further event will trigger a save.
    if (hadEvents && !hasEvents) saveState(options.stateFile, world.state);
    await flush(world, feed, options);
    await options.clock.sleep(STEP_MS, signal);
  }
}

/** Saves event ids before sending, so a process that ends at any point resends the same events. */
async function flush(world: World, feed: Feed, { stateFile }: RunOptions): Promise<void> {
  const { state } = world;
  while (state.queue.length > 0) {
    const batch = state.queue.slice(0, BATCH);
    await setFees(world, feed, batch);
    saveState(stateFile, state);
    const answers = await feed.send(batch);
    const reasons = new Map<string, number>();
    state.queue.splice(0, batch.length);
    batch.forEach((event, index) => {
      const answer = answers[index];
      if (!answer) return;
      applyAnswer(world, event, answer);
      const cause = `${event.type}: ${answer.reason ?? ''}`;
      if (answer.result === 'rejected') reasons.set(cause, (reasons.get(cause) ?? 0) + 1);
    });
    if (reasons.size > 0) log('events were rejected', { reasons: Object.fromEntries(reasons) });
  }
}

/**
 * Handles commands and acknowledges them. Effect, ack and cursor are saved together before the ack is sent, so no
 * command is lost or executed twice.
 */
async function runCommands(world: World, feed: Feed, { stateFile, wait }: RunOptions): Promise<void> {
  const { state } = world;
  for (;;) {
    const acks = state.acks.slice(0, BATCH);
    if (acks.length > 0) {
      await feed.acknowledge(acks);
      state.acks.splice(0, acks.length);
      continue;
    }
    const commands = await feed.receive(state.cursor, wait);
    const heldVersion = commands.some(({ type }) => type === 'withdraw.payout') ? findHeldVersion(world) : undefined;
    if (heldVersion !== undefined) followRosters(world, await feed.read('rosters', { after: heldVersion }));
    for (const command of commands) {
      const ack = handleCommand(world, command);
      if (ack) state.acks.push(ack);
      state.cursor = Math.max(state.cursor, command.seq);
    }
    if (commands.length > 0) saveState(stateFile, state);
  }
}
