import { setImmediate as turn } from 'node:timers/promises';
import { WHAT_IF_DAYS } from '@hengtai/contract/risk/auto-payout/calls';
import type {
  AutoBudget,
  AutoStartWhatIfInput,
  AutoWhatIf,
  AutoWhatIfInput,
  AutoWhatIfRow,
} from '@hengtai/contract/risk/auto-payout/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { Ctx } from '../../../app/context.ts';
import { requireFound } from '../../../app/refuse.ts';
import type { Db } from '../../../database/connect.ts';
import { findObstacle } from './auto-payout.steps.ts';
import { DAY_MS, dayOf, findBudget, findMarketName } from './coin.store.ts';
import { type DayLimit, dayLimits, whyHouseFull } from './day-limits.rules.ts';
import type { LeftReason } from './decision.store.ts';
import { type PastWithdraw, fetchAccounts, fetchPastWithdraws } from './past-withdraw.store.ts';

/** Withdrawals that are looked at; of more, the newest. */
const LOOKED_AT = 50_000;
/** Withdrawals of one statement, and between which other requests have their turn. */
const CHUNK = 5_000;
/** After this time no further chunk is read. */
const WALK_MS = 1_000;
/** Withdrawals that are listed, of those that a budget passes and the other does not. */
const LISTED = 10;

/** Why each budget leaves a withdrawal to people; null where it passes it. */
interface Outcome {
  withdraw: PastWithdraw;
  present: LeftReason | null;
  proposed: LeftReason | null;
}

/**
 * What a budget would have passed of the withdrawals of the last days, compared with the budget in force, by what was recorded
 * at that time. Needs full scope.
 */
export async function findWhatIf(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { marketId, ...budget }: AutoWhatIfInput,
): Promise<AutoWhatIf> {
  const present = new PastDecider(await findBudget(ctx.db, marketId));
  return { question: 'budget', ...(await compare(ctx, marketId, present, new PastDecider(budget))) };
}

/** The same of the budget in force as if the coin had never been stopped. Needs full scope. */
export async function findStartWhatIf(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { marketId }: AutoStartWhatIfInput,
): Promise<AutoWhatIf> {
  const budget = await findBudget(ctx.db, marketId);
  const unstopped = new PastDecider(budget, [...ofBudget, 'stopped']);
  return { question: 'start', ...(await compare(ctx, marketId, new PastDecider(budget), unstopped)) };
}

async function compare(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  marketId: number,
  presentDecider: PastDecider,
  proposedDecider: PastDecider,
): Promise<Omit<AutoWhatIf, 'question'>> {
  const marketName = requireFound(await findMarketName(db, marketId));
  const start = (dayOf(now) - WHAT_IF_DAYS + 1) * DAY_MS;
  const { withdraws, complete } = await fetchPeriod(db, marketId, start);
  const outcomes = await decideAll(withdraws, presentDecider, proposedDecider);
  const opened = outcomes.filter(({ present, proposed }) => present !== null && proposed === null);
  const closed = outcomes.filter(({ present, proposed }) => present === null && proposed !== null);
  const list = await toRows(db, [...newestOf(opened), ...newestOf(closed)]);
  return {
    marketName,
    from: complete ? start : Math.min(now, ...withdraws.map(({ createdAt }) => createdAt)),
    complete,
    total: outcomes.length,
    present: sumOf(outcomes.filter(({ present }) => present === null)),
    proposed: sumOf(outcomes.filter(({ proposed }) => proposed === null)),
    opened: { ...sumOf(opened), newest: list.slice(0, newestOf(opened).length) },
    closed: { ...sumOf(closed), newest: list.slice(newestOf(opened).length) },
  };
}

/** The withdrawals of a coin since a time, in the order of their decisions. Ids follow the time at which they were recorded. */
async function fetchPeriod(
  db: Db,
  marketId: number,
  start: number,
): Promise<{ withdraws: PastWithdraw[]; complete: boolean }> {
  const end = performance.now() + WALK_MS;
  const found: PastWithdraw[] = [];
  let complete = false;
  while (!complete && found.length < LOOKED_AT && performance.now() < end) {
    const chunk = await fetchPastWithdraws(db, marketId, { below: found.at(-1)?.id, limit: CHUNK });
    found.push(...chunk);
    complete = chunk.length < CHUNK || (chunk.at(-1)?.recordedAt ?? 0) < start;
  }
  const withdraws = found.filter(({ createdAt }) => createdAt >= start);
  return { withdraws: withdraws.toSorted((a, b) => a.at - b.at || a.id - b.id), complete };
}

async function decideAll(
  withdraws: readonly PastWithdraw[],
  present: PastDecider,
  proposed: PastDecider,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const withdraw of withdraws) {
    outcomes.push({ withdraw, present: present.decide(withdraw), proposed: proposed.decide(withdraw) });
    if (outcomes.length % CHUNK === 0) await turn();
  }
  return outcomes;
}

/** Reasons that depend on the budget, so that another one is decided again. All others were facts of that time. */
const ofBudget: readonly LeftReason[] = ['off', 'firstAddress', 'level', 'userDay', 'dayAmount', 'dayCount'];

/** Decides about withdrawals of the past in their order, as `decideWithdraw` would have under one budget. */
class PastDecider {
  readonly #budget: AutoBudget | undefined;
  readonly #judgedAgain: readonly LeftReason[];
  /** What was passed, by day, kind and id. */
  readonly #spent = new Map<string, { amount: Decimal; count: number }>();

  /**
   * @param budget undefined passes nothing
   * @param judgedAgain reasons that do not stand as they were recorded
   */
  constructor(budget: AutoBudget | undefined, judgedAgain: readonly LeftReason[] = ofBudget) {
    this.#budget = budget;
    this.#judgedAgain = judgedAgain;
  }

  decide(past: PastWithdraw): LeftReason | null {
    const budget = this.#budget;
    if (!budget) return 'off';
    if (past.why !== null && !this.#judgedAgain.includes(past.why)) return past.why;
    return findObstacle(budget, past, past.at) ?? this.#spend(budget, past);
  }

  #spend(budget: AutoBudget, { at, userId, amount }: PastWithdraw): LeftReason | null {
    const limits = dayLimits(budget, userId);
    const user = this.#with(at, limits.user, amount);
    if (!user.fits) return 'userDay';
    const house = this.#with(at, limits.house, amount);
    if (!house.fits) return whyHouseFull(budget, house.before);
    for (const { key, sum } of [user, house]) this.#spent.set(key, sum);
    return null;
  }

  /** A sum of a day with a further amount. */
  #with(at: number, { kind, refId, limit, countLimit }: DayLimit, amount: string) {
    const key = `${dayOf(at)} ${kind} ${refId}`;
    const before = this.#spent.get(key) ?? { amount: new Decimal(0), count: 0 };
    const sum = { amount: before.amount.plus(amount), count: before.count + 1 };
    return { key, before, sum, fits: sum.amount.lte(limit) && sum.count <= countLimit };
  }
}

function sumOf(outcomes: readonly Outcome[]): { count: number; amount: string } {
  const amount = outcomes.reduce((sum, { withdraw }) => sum.plus(withdraw.amount), new Decimal(0));
  return { count: outcomes.length, amount: amount.toFixed() };
}

const newestOf = (outcomes: readonly Outcome[]): Outcome[] => outcomes.slice(-LISTED).toReversed();

async function toRows(db: Db, outcomes: readonly Outcome[]): Promise<AutoWhatIfRow[]> {
  const accounts = await fetchAccounts(
    db,
    outcomes.map(({ withdraw }) => withdraw.userId),
  );
  return outcomes.map(({ withdraw: { id, userId, amount, risk, createdAt }, present, proposed }) => ({
    id,
    userId,
    account: accounts.get(userId) ?? '',
    amount,
    risk,
    why: present ?? proposed ?? 'error',
    createdAt,
  }));
}
