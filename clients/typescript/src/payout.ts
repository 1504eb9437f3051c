import { type ConsentSignature, type Mandate, type PayoutText, parseSignable } from './signing-text.ts';
import { type HeldRoster, digestOf, ensure, parsed, requireRoster, verifyConsents } from './roster.ts';
import type { WithdrawPayoutCommand } from './types.ts';

export interface VerifyOptions {
  roster: HeldRoster;
  /** Number of the own platform; 1 if the installation has one. */
  platform?: number;
  /** Oldest signature that is accepted, in milliseconds; 48 hours by default. */
  maxAge?: number;
  /** Unix milliseconds. */
  now?: number;
}

/** What the wallet has to record before it pays. */
export interface PayoutClaim {
  no: string;
  attempt: number;
  /** Who signed it; empty with a mandate. */
  persons: string[];
  /** The budget that the payout uses, with a mandate. */
  budget?: { mandate: string; market: string; day: string; amount: string; perDay: string };
}

/** Remembers what was paid. Must survive crashes, and serve one claim at a time. */
export interface PayoutStore {
  /**
   * Records the payout, unless it was recorded before: an attempt that is not higher than every one before, a number whose
   * earlier attempt was not released, or more than the budget of the day.
   */
  claim: (claim: PayoutClaim) => ClaimAnswer | Promise<ClaimAnswer>;
}
export type ClaimAnswer = 'claimed' | 'repeated' | 'exceeded';

const MAX_AGE_MS = 48 * 3_600_000;
/** How far the clock of a signer may be ahead; the same as in `scripts/verify-payout.mjs`. */
const SKEW_MS = 5 * 60_000;

/**
 * Verifies the data of `withdraw.payout`. The result must be claimed before anything is paid.
 *
 * @throws NotVerified
 */
export function verifyPayout(data: WithdrawPayoutCommand, options: VerifyOptions): PayoutClaim {
  ensure(isObject(data), 'malformed', 'The command has no data.');
  const { payout, signatures, mandate } = data;
  ensure(payout !== undefined || mandate !== undefined, 'unsigned', 'The payout is not signed.');
  ensure(payout === undefined || mandate === undefined, 'malformed', 'The payout has both signatures and a mandate.');
  if (mandate !== undefined) return verifyMandate(data, mandate, options);
  return verifySigned(data, parsed(parseSignable, payout), signatures, options);
}

/** Verifies and claims a payout. Pay after it returns. @throws NotVerified */
export async function claimPayout(
  data: WithdrawPayoutCommand,
  store: PayoutStore,
  options: VerifyOptions,
): Promise<PayoutClaim> {
  const claim = verifyPayout(data, options);
  const answer = await store.claim(claim);
  ensure(answer !== 'repeated', 'repeated', 'The payout was ordered before.');
  ensure(answer !== 'exceeded', 'budget', 'The budget of the day is used up.');
  return claim;
}

/** The fields that the command repeats; `amount` of the command is `received` of the text. */
const repeated = ['no', 'attempt', 'account', 'market', 'network', 'address', 'memo'] as const;

function verifySigned(
  data: WithdrawPayoutCommand,
  text: unknown,
  signatures: readonly ConsentSignature[] | undefined,
  { roster, platform = 1, maxAge = MAX_AGE_MS, now = Date.now() }: VerifyOptions,
): PayoutClaim {
  const payout = text as PayoutText;
  ensure(payout.kind === 'payout', 'malformed', 'The text is not one of a payout.');
  for (const field of repeated) ensure(data[field] === payout[field], 'differs', `The signed ${field} differs.`);
  ensure(data.amount === payout.received, 'differs', 'The signed amount differs.');
  ensure(payout.platform === platform, 'platform', 'The payout is for another platform.');
  const consents = verifyConsents(roster, digestOf(data.payout ?? ''), signatures);
  for (const { at } of consents)
    ensure(at >= now - maxAge && at <= now + SKEW_MS, 'age', 'A signature is too old, or from the future.');
  const persons = consents.map(({ person }) => person);
  ensure(persons.includes(payout.maker), 'maker', 'The maker did not sign.');
  return { no: data.no, attempt: data.attempt, persons };
}

const day = (now: number): string => new Date(now).toISOString().slice(0, 10);

function verifyMandate(
  data: WithdrawPayoutCommand,
  signed: { text: string; signatures: ConsentSignature[] },
  { roster, platform = 1, now = Date.now() }: VerifyOptions,
): PayoutClaim {
  ensure(isObject(signed), 'malformed', 'The mandate is not an object.');
  const { text, signatures } = signed;
  const mandate = parsed(parseSignable, text) as Mandate;
  ensure(mandate.kind === 'mandate', 'malformed', 'The text is not one of a mandate.');
  requireRoster(roster, mandate, 'The mandate');
  ensure(mandate.platform === platform, 'platform', 'The mandate is for another platform.');
  ensure(now >= mandate.from && now < mandate.until, 'mandate', 'The mandate is not valid now.');
  for (const [field, [min, max]] of Object.entries(lengths))
    ensure(isText(data[field as keyof typeof lengths], min, max), 'malformed', `The ${field} is not a text.`);
  ensure(Number.isSafeInteger(data.attempt) && data.attempt >= 1, 'malformed', 'The attempt is not 1 or more.');
  const coin = mandate.coins.find(({ market }) => market === data.market);
  ensure(coin !== undefined && coin.networks.includes(data.network), 'mandate', 'The mandate has no such coin.');
  ensure(isAmount(data.amount), 'malformed', 'The amount is no canonical decimal number above 0.');
  ensure(unitsOf(data.amount) <= unitsOf(coin.largest), 'mandate', 'The amount is larger than the mandate allows.');
  verifyConsents(roster, digestOf(text), signatures);
  const { market, perDay } = coin;
  const budget = { mandate: digestOf(text), market, day: day(now), amount: data.amount, perDay };
  return { no: data.no, attempt: data.attempt, persons: [], budget };
}

const AMOUNT = /^(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?$/;
const isAmount = (value: unknown): boolean => typeof value === 'string' && AMOUNT.test(value) && value !== '0';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && value.length >= min && value.length <= max && !/\p{Surrogate}/u.test(value);
/** Shortest and longest texts of the command, as in the text of a payout. */
const lengths = {
  no: [1, 64],
  account: [1, 64],
  market: [1, 32],
  network: [1, 32],
  address: [1, 256],
  memo: [0, 256],
} as const;

/** An amount in whole units of 10^-18. */
function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

/** State of a `MemoryPayoutStore`, as plain JSON. */
export interface PayoutRecords {
  /** The highest attempt of each number, by `no ` and the number, and whether it was certainly not paid. */
  attempts: Record<string, { attempt: number; released: boolean }>;
  /** What each mandate spent, by coin and UTC day, in units of 10^-18. */
  spent: Record<string, string>;
}

/** The number with a prefix, so that none is a name that objects have, such as `__proto__`. */
const keyOf = (no: string): string => `no ${no}`;

/** A store in memory: for tests, and as a model of one in a database. Keep the records to survive a restart. */
export class MemoryPayoutStore implements PayoutStore {
  readonly records: PayoutRecords;

  constructor(records: PayoutRecords = { attempts: {}, spent: {} }) {
    this.records = records;
  }

  claim({ no, attempt, budget }: PayoutClaim): ClaimAnswer {
    const { attempts, spent } = this.records;
    const before = attempts[keyOf(no)];
    if (before && (!before.released || attempt <= before.attempt)) return 'repeated';
    if (budget) {
      const key = `${budget.mandate} ${budget.day} ${budget.market}`;
      const sum = BigInt(spent[key] ?? 0) + unitsOf(budget.amount);
      if (sum > unitsOf(budget.perDay)) return 'exceeded';
      spent[key] = sum.toString();
    }
    attempts[keyOf(no)] = { attempt, released: false };
    return 'claimed';
  }

  /** Allows a later attempt. Call it only if this one was certainly not paid. Its budget stays used. */
  release(no: string, attempt: number): void {
    const held = this.records.attempts[keyOf(no)];
    if (held?.attempt === attempt) held.released = true;
  }
}
