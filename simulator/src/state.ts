import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlatformSignal } from '@hengtai/contract/gateway/commands.schema';
import type { EventData, PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { Ack } from '@hengtai/contract/gateway/schema';
import type { WalletFault } from '@hengtai/contract/gateway/simulator';
import { log } from './log.ts';
import type {
  LiveFollow,
  LiveOrder,
  LivePosition,
  Market,
  PendingAnswer,
  PendingCancel,
  PendingCommand,
  PendingEnd,
  SigningState,
  Conversation,
} from './records.ts';
import type { Arriving, Payment, Treasury } from './wallets/records.ts';

export interface PendingRecharge {
  account: string;
  market: string;
  amount: string;
  /** When the chain decides (Unix ms; 0 once it has), and the result. */
  due: number;
  end: 'credited' | 'failed';
  remark?: string;
  /** Confirmations required on its chain. */
  confirmations: number;
  /** Absent if no money arrives, and in states stored by an older version. */
  arriving?: Arriving;
}

/**
 * Progress of the import of the past. The past itself is not stored: the same seed generates the same events in
 * the same batches.
 */
export interface ImportState {
  markets: Market[];
  /** Number of batches that the server has answered. */
  sent: number;
  /** Rejected events, for example after an operator intervened; their balances are reloaded at the end. */
  refused: { account: string; no: string }[];
}

/** A withdrawal that no operator has decided yet. */
export interface OpenWithdraw {
  account: string;
  market: string;
  amount: string;
  /** When its user changes their mind; 0: never. */
  cancelAt: number;
  /** Whether the fee is final; absent before that, and in states stored by an older version. */
  hasFee?: boolean;
}

/** A subscription that no operator has decided yet. */
export interface OpenIeo {
  account: string;
  pay: string;
  /** When its user changes their mind; 0: never. */
  cancelAt: number;
}

export type Outcome = 'paid' | 'failed' | 'refused' | 'doubtful' | 'silent';

/** The wallet's record of one payout attempt; it prevents a second payment. */
export interface Payout {
  no: string;
  attempt: number;
  outcome: Outcome;
  txHash: string;
  /** `paid`: a second payment follows. */
  stage: 'accepted' | 'paying' | 'paid' | 'ended';
  /** What the wallet does wrong, if anything. */
  fault?: WalletFault;
  due: number;
  /** What the wallet pays, and what the chain has of it. Absent at the end, and in states stored by an older version. */
  payment?: Payment;
  moved?: EventData['chain.moved'];
}

/** State that survives a change of seed: commands, payouts and open trades still exist on the server. */
interface KeptState {
  /** Sequence number of the last handled command. */
  cursor: number;
  /** Acks that the server has not confirmed. */
  acks: Ack[];
  payouts: Record<string, Payout>;
  /** What a wallet that verifies signatures trusts and has claimed. */
  signing?: SigningState;
  /** Answers of the screening providers that are not due, by request and number. */
  screenings: Record<string, PendingAnswer>;
  /** Spot orders that have not ended, by number. */
  orders: Record<string, LiveOrder>;
  /** Accepted cancel commands by command id. */
  cancels: Record<string, PendingCancel>;
  /** Open positions by number. */
  positions: Record<string, LivePosition>;
  actions: Record<string, PendingCommand>;
  /** Signals that may be followed, by number. */
  signals: Record<string, PlatformSignal>;
  /** Open follows by number. */
  follows: Record<string, LiveFollow>;
  /** Accepted end commands for follows, by command id. */
  followEnds: Record<string, PendingEnd>;
}

export interface State extends KeptState {
  version: 2;
  seed: string;
  /** Start time in Unix ms; 0 before the start. */
  startedAt: number;
  /** Users and days at the start; later changes of the options do not apply. */
  scale: { users: number; days: number };
  /** Present while the past is being imported. */
  past?: ImportState;
  /** True once the server has been asked to go live. */
  live: boolean;
  /** Counters per kind, from which ids and random contents are derived. */
  counters: Record<string, number>;
  /** Events that the server has not answered, in order. */
  queue: PlatformEvent[];
  /** Active balances by account, market and platform type. */
  balances: Record<string, string>;
  /** Accounts that operators froze. */
  frozen: string[];
  /** Accounts that already received a withdrawal at their usual address. */
  veterans: string[];
  prices: Record<string, string>;
  recharges: Record<string, PendingRecharge>;
  open: Record<string, OpenWithdraw>;
  /** Level and review state of each account's last identity submission. */
  identities: Record<string, [number, number]>;
  /** Accounts that operators closed for trading. */
  closed: string[];
  /** Stakes of open binary contracts by contract number. */
  stakes: Record<string, { account: string; amount: string }>;
  /** When a binary contract of the account last ended, in Unix ms. */
  ends: Record<string, number>;
  /** Accounts that operators closed for subscribing. */
  unsubscribed: string[];
  subscriptions: Record<string, OpenIeo>;
  /** Absent in states that an older version began: they report no wallets. */
  treasury?: Treasury;
  /** Open support conversations by account. */
  talks: Record<string, Conversation>;
}

export const createState = (seed: string, kept?: KeptState): State => ({
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
  screenings: kept?.screenings ?? {},
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
  ...(kept?.signing && { signing: kept.signing }),
});

/**
 * Loads the state. Returns a new one if there is none or it is invalid, and keeps only seed-independent parts if
 * the seed differs. Throws on other read errors.
 */
export function loadState(file: string, seed: string): State {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return createState(seed);
    throw error;
  }
  try {
    // A state from an older version lacks newer fields, so defaults fill them.
    const stored = JSON.parse(text) as State;
    if (stored.version !== 2) throw new Error(`version ${String(stored.version)} is not supported, expected 2`);
    return stored.seed === seed ? { ...createState(seed), ...stored } : createState(seed, stored);
  } catch (error) {
    log('the state file is not readable, starting with a new state', { error: String(error) });
    return createState(seed);
  }
}

/** Saves atomically with a temporary file and a rename, so a crash never leaves a partial file. */
export function saveState(file: string, state: State): void {
  mkdirSync(dirname(file), { recursive: true });
  // The process id makes the file unique: after a crash an old process may still be saving.
  const temporaryFile = `${file}.${process.pid}`;
  const handle = openSync(temporaryFile, 'w', 0o600);
  try {
    writeFileSync(handle, JSON.stringify(state));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporaryFile, file);
}
