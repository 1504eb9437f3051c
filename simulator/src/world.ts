import type { EventType } from '@hengtai/contract/gateway/gateway';
import type { EventData, PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { SimulatorSettings } from '@hengtai/contract/gateway/simulator';
import type { DecimalValue } from '@hengtai/contract/values/decimal';
import { type Amount, D } from './amount.ts';
import { ALPHABET, type Random, createRandom } from './random.ts';
import type { State } from './state.ts';
import type { Market, User } from './records.ts';

export type Options = SimulatorSettings;

/** The simulated platform; everything that must survive the process is in `state`. */
export interface World {
  readonly options: Options;
  readonly state: State;
  /** Prefix that keeps the ids of different seeds distinct on one server. */
  readonly tag: string;
  /** All users so far, in order of registration. */
  readonly users: User[];
  /** Accounts that already received a withdrawal at their usual address. */
  readonly veterans: Set<string>;
  markets: readonly Market[];
  now: number;
  /** When each recurring activity is due next. */
  readonly due: Map<string, number>;
  /** Per market, the tick of the last matching run. */
  readonly matchedTicks: Map<string, number>;
}

export const createWorld = (options: Options, state: State, users: User[]): World => ({
  options,
  state,
  tag: createRandom(options.seed, 'tag').text(ALPHABET.hex, 6),
  users,
  veterans: new Set(state.veterans),
  markets: [],
  now: 0,
  due: new Map(),
  matchedTicks: new Map(),
});

export const randomFor = (world: World, ...key: (string | number)[]): Random =>
  createRandom(world.options.seed, ...key);

/** Returns the next number of a kind, from 0, and advances its counter. */
export function nextNumber(world: World, kind: string): number {
  const number = world.state.counters[kind] ?? 0;
  world.state.counters[kind] = number + 1;
  return number;
}

/** Formats a record number, such as `W1a2b3c000001`. */
export const formatNo = (world: World, letter: string, number: number): string =>
  `${letter}${world.tag}${String(number + 1).padStart(6, '0')}`;

/** Appends an event to the queue. Its id is derived from type and key, so the server applies a resend only once. */
export function emit<T extends EventType>(
  world: World,
  type: T,
  key: string,
  data: EventData[T],
  at = world.now,
): void {
  world.state.queue.push({ eventId: `${world.tag}:${type}:${key}`, type, at: Math.floor(at), data } as PlatformEvent);
}

/** A random time (Unix ms) between `low` and `high` seconds from now, shortened by the speed option. */
export const timeFromNow = (world: World, dice: Random, low: number, high: number): number =>
  Math.round(world.now + (dice.span(low, high) * 1_000) / world.options.speed);

const balanceKey = (account: string, market: string, platform: number): string => `${account}|${market}|${platform}`;

export const balanceOf = (world: World, account: string, market: string, platform: number): Amount =>
  new D(world.state.balances[balanceKey(account, market, platform)] ?? 0);

export function setBalance(
  world: World,
  account: string,
  market: string,
  platform: number,
  active: DecimalValue,
): void {
  const key = balanceKey(account, market, platform);
  const value = new D(active);
  // Balances here are estimates that the server corrects; a negative one would only cause rejected requests.
  if (value.lte(0)) delete world.state.balances[key];
  else world.state.balances[key] = value.toFixed();
}

export function moveBalance(
  world: World,
  account: string,
  market: string,
  platform: number,
  change: DecimalValue,
): void {
  setBalance(world, account, market, platform, balanceOf(world, account, market, platform).plus(change));
}

export interface Holding {
  account: string;
  market: string;
  active: Amount;
}

/** All active balances of a platform type, or of one coin there; frozen accounts are excluded. */
export function listHoldings({ state }: World, platform: number, coin?: string): Holding[] {
  const frozen = new Set(state.frozen);
  const found: Holding[] = [];
  const end = coin === undefined ? `|${platform}` : `|${coin}|${platform}`;
  for (const key of Object.keys(state.balances)) {
    // Runs many times a minute, so other keys are skipped before they are split.
    if (!key.endsWith(end)) continue;
    const [account, market] = key.split('|');
    if (!account || !market || frozen.has(account)) continue;
    found.push({ account, market, active: new D(state.balances[key] ?? 0) });
  }
  return found;
}
