/** Base path of the calls between the platform (matching engine and wallet) and the back office. */
export const PLATFORM_BASE = '/platform/v1/';
export const EVENTS_MAX = 1_000;
/** A request is refused if its x-time differs from the server's clock by more than this. */
export const SIGNATURE_WINDOW_MS = 5 * 60_000;
/** An event's time may be this far ahead of the server's clock. */
export const EVENT_AHEAD_MS = 60_000;
export const COMMANDS_MAX = 500;
export const POLL_MAX_SECONDS = 30;
/** The longest lease of a command. */
export const LEASE_MAX_SECONDS = 600;
/** Balances in one page of a snapshot. */
export const SNAPSHOT_MAX = 1_000;
/** Whether a time is in seconds: as milliseconds it would be in the years 1970 to 1973, as seconds after 2001. */
export const isInSeconds = (at: number): boolean => at >= 1_000_000_000 && at < 100_000_000_000;
/** Announcements per answer, latest first. */
export const ANNOUNCEMENTS_MAX = 200;
/** The outcome of a delivered payout, cancel or close is unknown if it is not acknowledged within this time. */
export const UNKNOWN_AFTER_MS = 60_000;

/** The text that both sides sign with HMAC-SHA256. */
export const signedText = (time: string, method: string, pathAndQuery: string, body: string): string =>
  `${time}\n${method}\n${pathAndQuery}\n${body}`;

/** A nonce of a call: random and never used before with the same key. */
export const NONCE_PATTERN = '^[A-Za-z0-9_-]{16,64}$';

/** The first line of the signed text: the time, and behind a space the nonce, if the call has one. */
export const signedTime = (time: string, nonce: string | undefined): string =>
  nonce === undefined ? time : `${time} ${nonce}`;

export const EVENT_TYPES = [
  'agent.registered',
  'user.registered',
  'user.login',
  'user.credential',
  'recharge.detected',
  'recharge.credited',
  'recharge.failed',
  'recharge.reversed',
  'withdraw.imported',
  'withdraw.requested',
  'withdraw.cancelled',
  'withdraw.paying',
  'withdraw.paid',
  'withdraw.failed',
  'withdraw.unknown',
  'wallet.saved',
  'wallet.balance',
  'chain.moved',
  'chain.reverted',
  'screen.answered',
  'auth.submitted',
  'auth.imported',
  'ieo.ordered',
  'ieo.cancelled',
  'ieo.imported',
  'transfer.made',
  'balance.imported',
  'balance.adjusted',
  'order.placed',
  'order.filled',
  'order.cancelled',
  'second.opened',
  'follow.opened',
  'follow.closed',
  'position.placed',
  'position.opened',
  'position.increased',
  'position.flipped',
  'position.changed',
  'position.closed',
  'position.liquidated',
  'position.cancelled',
  'funding.paid',
  'message.received',
  'market.saved',
  'tick',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Why an event was rejected. `invalid`, `unknown` and `scope` are followed by a colon and the field. */
export const EVENT_REASONS = {
  invalid: 'invalid',
  unsupported: 'unsupported',
  unknown: 'unknown',
  scope: 'out_of_scope',
  exists: 'exists',
  conflict: 'conflict',
  state: 'state',
  insufficient: 'insufficient',
  frozen: 'frozen',
  closed: 'closed',
  min: 'below min',
  max: 'above max',
  dayAmount: 'above daily amount',
  dayCount: 'above daily count',
  fee: 'fee',
  pending: 'pending',
  outdated: 'late',
  alreadyLive: 'live',
  inFuture: 'ahead',
  sameAccount: 'same account',
  halted: 'halted',
  forbidden: 'trading closed',
  beyondOrder: 'beyond the order',
  beyondLimit: 'beyond the limit',
  subscribing: 'subscribing closed',
  decided: 'already decided',
  beyondStake: 'beyond the stake',
} as const;

export const COMMAND = { waiting: 0, sent: 1, done: 2, failed: 3, unknown: 4 } as const;

/** The states of commands by their names in the gateway. */
export type CommandStateName = keyof typeof COMMAND;

/** Commands that are not resent without a decision of an operator. */
export const RISKY_COMMANDS = [
  'withdraw.payout',
  'order.cancel',
  'position.cancel',
  'position.close',
  'follow.close',
  'wallet.move.requested',
] as const;

export const COMMAND_TYPES = [
  'withdraw.payout',
  'withdraw.reviewed',
  'wallet.move.requested',
  'screen.requested',
  'recharge.reviewed',
  'auth.reviewed',
  'ieo.reviewed',
  'balance.changed',
  'user.created',
  'user.updated',
  'config.updated',
  'announce.published',
  'user.deleted',
  'user.password',
  'market.updated',
  'market.halted',
  'market.resumed',
  'plan.updated',
  'order.cancel',
  'second.settled',
  'second.voided',
  'signal.published',
  'follow.close',
  'position.cancel',
  'position.close',
  'message.sent',
  'audit.head',
] as const;
export type CommandType = (typeof COMMAND_TYPES)[number];

export type AckState = 'done' | 'failed' | 'unknown';
