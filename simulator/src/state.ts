import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlatformSignal } from '@hengtai/contract/gateway-commands';
import type { Ack, PlatformEvent } from '@hengtai/contract/gateway.schema';
import type { PendingCancel } from './exchange/engine.ts';
import type { PendingCommand } from './exchange/future-engine.ts';
import type { LiveFollow, PendingEnd } from './follow.ts';
import type { LiveOrder } from './exchange/order.ts';
import type { LivePosition } from './exchange/position.ts';
import type { Market } from './market.ts';
import { log } from './log.ts';
import type { Talk } from './support.ts';

export interface PendingRecharge {
  account: string;
  market: string;
  amount: string;
  /** When the chain's last word on it comes, and what that is. */
  due: number;
  end: 'credited' | 'failed';
  remark?: string;
  /** What its chain asks for. */
  confirmations: number;
}

/**
 * The generator of the history that is being sent. Every process creates its own, so nothing is stored: the same
 * seed gives the same events in the same batches.
 */
export interface Past {
  markets: Market[];
  /** Parcels that the server has answered. */
  sent: number;
  /** Events that it refused, as after an operator has stepped in; what they meant is asked for at the end. */
  refused: { account: string; no: string }[];
}

/** A request of the simulator's own that no operator has decided yet. */
export interface OpenWithdraw {
  account: string;
  market: string;
  amount: string;
  /** When its user changes their mind; 0: never. */
  cancelAt: number;
}

/** A subscription that no operator has decided yet. */
export interface OpenIeo {
  account: string;
  pay: string;
  /** When its user changes their mind; 0: never. */
  cancelAt: number;
}

export type Outcome = 'paid' | 'failed' | 'refused' | 'doubtful' | 'silent';

/** What the wallet did about one withdrawal's attempt; the record that keeps it from paying twice. */
export interface Payout {
  no: string;
  attempt: number;
  outcome: Outcome;
  txHash: string;
  stage: 'accepted' | 'paying' | 'ended';
  due: number;
}

/** What outlives a change of seed: money that was sent stays sent, and an order that stands in the book goes on standing. */
interface KeptState {
  /** The last command that was taken in. */
  cursor: number;
  /** Acks that the server has not confirmed. */
  acks: Ack[];
  payouts: Record<string, Payout>;
  /** Spot orders that have not ended, by number. */
  orders: Record<string, LiveOrder>;
  /** Cancels that were taken in, by their command's id. */
  cancels: Record<string, PendingCancel>;
  /** Positions that have not ended, by number, and what operators ordered of them, by their command's id. */
  positions: Record<string, LivePosition>;
  actions: Record<string, PendingCommand>;
  /** Signals that may be followed, by number. */
  signals: Record<string, PlatformSignal>;
  /** Followings that have not ended, by number. */
  follows: Record<string, LiveFollow>;
  /** Ends that operators ordered, by their command's id. */
  followEnds: Record<string, PendingEnd>;
}

export interface State extends KeptState {
  version: 2;
  seed: string;
  /** When the platform came to life; 0 before that. */
  startedAt: number;
  /** Its size, which is that of its beginning for ever. */
  scale: { users: number; days: number };
  /** Only until all of it is told. */
  past?: Past;
  /** The server knows that the past is over. */
  live: boolean;
  /** How many of each kind were made, from which ids and contents follow. */
  counters: Record<string, number>;
  /** Events in order that the server has not answered. */
  queue: PlatformEvent[];
  /** Active balances by account, market and platform type. */
  balances: Record<string, string>;
  /** Accounts that operators froze. */
  frozen: string[];
  /** Accounts that were paid before, to an address that is known by now. */
  veterans: string[];
  prices: Record<string, string>;
  recharges: Record<string, PendingRecharge>;
  open: Record<string, OpenWithdraw>;
  /** By account: the level of the last identity submission, and the state of its review. */
  identities: Record<string, [number, number]>;
  /** Accounts that operators closed for trading. */
  closed: string[];
  /** What is staked on binary contracts that have not ended, by their number. */
  stakes: Record<string, { account: string; amount: string }>;
  /** By account, when the back office last ended a contract of theirs. */
  ends: Record<string, number>;
  /** Accounts that operators closed for subscribing. */
  unsubscribed: string[];
  subscriptions: Record<string, OpenIeo>;
  /** Conversations that are under way, by account. */
  talks: Record<string, Talk>;
}

export const freshState = (seed: string, kept?: KeptState): State => ({
  version: 2,
  seed,
  startedAt: 0,
  scale: { users: 0, days: 0 },
  live: false,
  counters: {},
  queue: [],
  balances: {},
  frozen: [],
  veterans: [],
  prices: {},
  recharges: {},
  open: {},
  identities: {},
  subscriptions: {},
  orders: kept?.orders ?? {},
  cancels: kept?.cancels ?? {},
  positions: kept?.positions ?? {},
  actions: kept?.actions ?? {},
  signals: kept?.signals ?? {},
  follows: kept?.follows ?? {},
  followEnds: kept?.followEnds ?? {},
  closed: [],
  unsubscribed: [],
  stakes: {},
  ends: {},
  talks: {},
  cursor: kept?.cursor ?? 0,
  acks: kept?.acks ?? [],
  payouts: kept?.payouts ?? {},
});

/** The stored state, or a fresh one when there is none, it cannot be read, or it belongs to another seed. */
export function loadState(file: string, seed: string): State {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return freshState(seed);
    throw error;
  }
  try {
    // One that was written before there were identity reviews, orders or subscriptions has none.
    const stored = JSON.parse(text) as State;
    if (stored.version !== 2) throw new Error(`version ${String(stored.version)}`);
    return stored.seed === seed ? { ...freshState(seed), ...stored } : freshState(seed, stored);
  } catch (error) {
    log('the state file is not readable, starting with a new state', { error: String(error) });
    return freshState(seed);
  }
}

/** Written beside and renamed, so that a crash leaves the old state or the new one, never half of one. */
export function saveState(file: string, state: State): void {
  mkdirSync(dirname(file), { recursive: true });
  // Of its own for each process: after a crash the old one may still be ending while the new one starts.
  const beside = `${file}.${process.pid}`;
  const handle = openSync(beside, 'w', 0o600);
  try {
    writeFileSync(handle, JSON.stringify(state));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, file);
}
