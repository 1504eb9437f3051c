import type { NaiveOptions } from './naive-sender.ts';

/** Flaws of a platform that sends its events without the client. */
export const NAIVE = {
  'repeats events under new ids': { newIds: true },
  'retries without a pause': { noPause: true },
  'ignores the time of the server': { ignoresServerTime: true },
} satisfies Record<string, NaiveOptions>;

type EventFlaw =
  | 'stops at a rejected event'
  | 'sends the newest event first'
  | 'reads without a signature'
  | 'reports a malformed event'
  | 'sends amounts as numbers'
  | 'sends times in seconds'
  | keyof typeof NAIVE;

/** What the wallet sends. */
export type PaymentFlaw =
  | 'pays another address'
  | 'pays the gross amount'
  | 'rounds the amount'
  | 'drops the memo'
  | 'pays on its usual network'
  | 'pays another coin'
  | 'pays at the request'
  | 'pays nothing'
  | 'pays an attempt under the next number';

type WalletFlaw =
  | PaymentFlaw
  | 'never acknowledges payouts'
  | 'acknowledges twice'
  | 'never reports payments'
  | 'forgets its payments in a crash'
  | 'forgets accepted payouts in a crash'
  | 'pays on every delivery'
  | 'ignores the attempt'
  | 'reports every payment as attempt 1'
  | 'leaves the attempt out of failures'
  | 'forgets an attempt when the next one comes'
  | 'pays what it gave up'
  | 'reports again with another hash'
  | 'reports again under another id'
  | 'changes the hash of a repeated event'
  | 'reports payments only after the ack';

type BookFlaw =
  | 'keeps silent about a reversal'
  | 'reports a reversal as a failure'
  | 'reports a reversal twice'
  | 'adds a changed balance to its own'
  | 'takes older balances'
  | 'leaves withheld deposits to the customer'
  | 'credits a released deposit twice';

type MoveFlaw =
  | 'names no record of a move'
  | 'moves the gross amount of a payout'
  | 'reports moves of an unknown wallet'
  | 'keeps silent about a dropped move';

type FuturesFlaw =
  | 'closes on every delivery'
  | 'closes the whole position'
  | 'reports a close as one of the customer'
  | 'closes what is not open';

type TransferFlaw = 'moves coins on every delivery' | 'reports one move of a transfer' | 'moves less than was ordered';

type LeaseFlaw =
  | 'ignores lost leases'
  | 'takes a repeated receipt for a lost one'
  | 'takes a received command for an executed one'
  | 'acknowledges with an old lease';

type WebhookFlaw =
  | 'pays for every webhook'
  | 'accepts unsigned webhooks'
  | 'drops older commands'
  | 'acknowledges a webhook only once';

/** What a platform does wrong. */
export type Flaw =
  | 'acknowledges a command only once'
  | 'cancels filled orders'
  | 'acknowledges unknown commands as done'
  | 'screens on every delivery'
  | EventFlaw
  | WalletFlaw
  | BookFlaw
  | MoveFlaw
  | FuturesFlaw
  | TransferFlaw
  | LeaseFlaw
  | WebhookFlaw;
