import { requireHouse } from '../../../authority/authority.ts';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { autoPayout as calls, loosensBudget } from '@hengtai/contract/risk/auto-payout/calls';
import type {
  AutoBudget,
  AutoCoin,
  AutoCoinDetail,
  AutoReview,
  AutoReviewInput,
  AutoSave,
  AutoStart,
  AutoStop,
  AutoStopped,
} from '@hengtai/contract/risk/auto-payout/schema';
import { autoBudgetLabels as labels } from '@hengtai/contract/risk/auto-payout/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { type Subject, reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import { type Save, saveOfRecord } from '../../../actions/save.ts';
import { type Preview, amountItem, textItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { pick } from '../../../app/pick.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';
import type { DecidedWithdraw } from '../../funds/withdraw/withdraw.rules.ts';
import { findWithdraw } from '../../funds/withdraw/withdraw.store.ts';
import {
  fetchCauses,
  fetchCoins,
  fetchUnstopped,
  fetchVersions,
  findMarketName,
  findStopCause,
  handleCauses,
  insertBudget,
  lockBudgets,
  startCoin,
  stopCoin,
} from './coin.store.ts';
import { notifyOfCoin } from './decide.steps.ts';
import { findDecision, insertReview } from './decision.store.ts';

/** Everybody who may stop a coin sees whether it runs. Budgets and sums tell about other trees. */
export async function listCoins({ db, now, scope }: Ctx): Promise<AutoCoin[]> {
  if (scope.kind === 'all') return fetchCoins(db, now);
  const coins = await withFullScope(db, () => fetchCoins(db, now));
  return coins.map((coin) => ({
    ...coin,
    stopped: coin.stopped && { ...coin.stopped, by: null },
    budget: null,
    spent: null,
    openAlarms: null,
    toReview: null,
    lastDecision: null,
  }));
}

export async function readCoin(ctx: Ctx, { id }: IdInput): Promise<AutoCoinDetail> {
  requireHouse(ctx);
  const row = requireFound(await findCoin(ctx, id));
  return { row, versions: await fetchVersions(ctx.db, id), causes: await fetchCauses(ctx.db, id) };
}

const findCoin = async ({ db, now }: Pick<Ctx, 'db' | 'now'>, id: number): Promise<AutoCoin | undefined> =>
  (await fetchCoins(db, now)).find(({ marketId }) => marketId === id);

/** A coin, which may have no budget yet. */
interface Target {
  marketId: number;
  marketName: string;
  coin: AutoCoin | null;
}

async function findTarget(ctx: Ctx, { marketId }: { marketId: number }): Promise<Target | undefined> {
  const marketName = await findMarketName(ctx.db, marketId);
  return marketName === undefined ? undefined : { marketId, marketName, coin: (await findCoin(ctx, marketId)) ?? null };
}

function requireSeen({ coin }: Target, seen: number | undefined): void {
  if (coin?.updatedAt !== seen) throw refuse(refusals.stateConflict);
}

/** The coin after all changes that others have committed. */
async function lockTarget(ctx: Ctx, input: { marketId: number; seen?: number }): Promise<Target> {
  await lockBudgets(ctx.db, input.marketId);
  const target = requireFound(await findTarget(ctx, input));
  requireSeen(target, input.seen);
  return target;
}

/** A budget belongs to no agent, so its approvals belong to the tree of their maker. */
const subjectOf = ({ marketId }: { marketId: number }, { operator }: Pick<Ctx, 'operator'>): Subject => ({
  type: 'autoPayout',
  id: marketId,
  agentId: operator.id,
});

const pickBudget = pick(
  'on',
  'dayAmount',
  'dayCount',
  'userDayAmount',
  'largestUnverified',
  'largestBasic',
  'largestAdvanced',
  'firstByHand',
  'reviewPercent',
);

/** What an approval of a budget signs; `stopped` is the stop that a start ends. */
interface SignedCoin {
  budget: AutoBudget | null;
  stopped?: { at: number; why: string } | null;
  running?: boolean;
}

const saveOfCoin = <I extends { seen?: number }>(
  rules: Pick<Parameters<typeof saveOfRecord<I, Target, SignedCoin>>[0], 'before' | 'after' | 'loosens'>,
): Save<I, Target> =>
  saveOfRecord<I, Target, SignedCoin>({
    ...rules,
    line: ({ marketId }) => `autoPayout:${marketId}`,
    renew: ({ seen: _seen, ...input }, { coin }) => ({ ...input, ...(coin && { seen: coin.updatedAt }) }) as I,
  });

const stopOf = ({ coin }: Target) => coin && coin.stopped && { at: coin.stopped.at, why: coin.stopped.why };
const budgetOf = ({ coin }: Target): AutoBudget | null => (coin?.budget ? pickBudget(coin.budget) : null);

/** Saves a new version of the budget of a coin. A coin that is stopped stays so. */
export const autoSave = defineAction<AutoSave, AutoCoin, Target>({
  call: calls.save,
  authorize: requireHouse,
  load: findTarget,
  check: (_ctx, target, { seen }) => requireSeen(target, seen),
  setting: {
    record: (target, ctx) => (target.coin ? { data: target.coin, subject: subjectOf(target, ctx) } : undefined),
    isSet: (target, input) => stableJson(budgetOf(target)) === stableJson(pickBudget(input)),
  },
  save: saveOfCoin<AutoSave>({
    before: (target) => ({ budget: budgetOf(target) }),
    after: (_target, input) => ({ budget: pickBudget(input) }),
    loosens: (before, after) => after?.budget != null && loosensBudget(before?.budget ?? null, after.budget),
  }),
  guard: {
    subject: subjectOf,
    preview: async (ctx, input) => previewChange(ctx, input, (name) => budgetItems(input, name)),
  },
  execute: async (ctx, input, _target, approved) => {
    const target = await lockTarget(ctx, input);
    const { coin, marketId, marketName } = target;
    const budget = pickBudget(input);
    await insertBudget(ctx, marketId, budget, {
      by: approved?.maker ?? ctx.operator.account,
      reason: reasonOf(input),
    });
    // What happened before the coin was switched on must not stop it.
    if (input.on && !coin?.on) await handleCauses(ctx.db, marketId, ctx.now);
    return finish(ctx, target, {
      ...(coin?.budget && { before: pickBudget(coin.budget) }),
      after: { marketName, ...budget },
    });
  },
});

/** Starts a coin that was stopped. */
export const autoStart = defineAction<AutoStart, AutoCoin, Target>({
  call: calls.start,
  authorize: requireHouse,
  load: findTarget,
  check: (_ctx, target, { seen }) => {
    requireSeen(target, seen);
    if (!target.coin?.stopped) throw refuse(refusals.autoRunning);
  },
  save: saveOfCoin<AutoStart>({
    before: (target) => ({ budget: budgetOf(target), stopped: stopOf(target), running: false }),
    after: (target) => ({ budget: budgetOf(target), stopped: stopOf(target), running: true }),
    loosens: () => true,
  }),
  guard: {
    subject: subjectOf,
    preview: async (ctx, input) => previewChange(ctx, input, () => [textItem('改为', '恢复')]),
  },
  execute: async (ctx, input) => {
    const { db, now } = ctx;
    const target = await lockTarget(ctx, input);
    await handleCauses(db, target.marketId, now);
    if ((await findStopCause(db, target)) !== null) throw refuse(refusals.autoCauseOpen);
    if (!(await startCoin(db, target.marketId, now))) throw refuse(refusals.autoRunning);
    await notifyOfCoin(db, 'autoPayout.started', target.marketId, now);
    return finish(ctx, target, { after: { marketName: target.marketName } });
  },
});

async function finish(
  ctx: Ctx,
  target: Target,
  change: Pick<ActionResult<AutoCoin>, 'before' | 'after'>,
): Promise<ActionResult<AutoCoin>> {
  const data = requireFound(await findCoin(ctx, target.marketId));
  return { data, subject: subjectOf(target, ctx), ...change };
}

/** Stops one coin, or all. Anybody who may review withdrawals can, in every tree. */
export const autoStop = defineAction<AutoStop, AutoStopped, { marketId: number | undefined }>({
  call: calls.stop,
  load: async (ctx, { marketId }) => {
    if (marketId === undefined) return { marketId };
    const coins = await listCoins(ctx);
    return coins.some((coin) => coin.marketId === marketId) ? { marketId } : undefined;
  },
  execute: async (ctx, _input, { marketId }) => {
    const { db, now, operator } = ctx;
    const stopped = await withFullScope(db, async () => {
      const ids = await fetchUnstopped(db, marketId);
      for (const id of ids) {
        await stopCoin(db, id, { why: 'operator', by: operator.id, now });
        await notifyOfCoin(db, 'autoPayout.stopped', id, now);
      }
      return ids;
    });
    return {
      data: { stopped },
      ...(marketId !== undefined && { subject: subjectOf({ marketId }, ctx) }),
      after: { stopped },
    };
  },
});

const withdrawSubject = recordSubject('withdraw');

/** Records what a person found about a withdrawal that was drawn, once. */
export const autoReview = defineAction<AutoReviewInput, AutoReview, DecidedWithdraw>({
  call: calls.review,
  load: (ctx, { id }) => findWithdraw(ctx, id),
  execute: async (ctx, input, target) => {
    const decision = await findDecision(ctx, target.id);
    if (!decision?.drawn) throw refuse(refusals.autoNotDrawn);
    const { sound } = input;
    const review = { sound, reason: reasonOf(input), by: ctx.operator.account, at: ctx.now };
    if (!(await insertReview(ctx.db, target.id, review))) throw refuse(refusals.autoReviewed);
    return { data: review, subject: withdrawSubject(target), after: { sound } };
  },
});

function budgetItems(budget: AutoBudget, marketName: string): ApprovalItem[] {
  const { on, dayAmount, dayCount, userDayAmount, firstByHand, reviewPercent } = budget;
  return [
    textItem(labels.on, on ? '开启' : '关闭'),
    amountItem(labels.dayAmount, dayAmount, marketName),
    textItem(labels.dayCount, String(dayCount)),
    amountItem(labels.userDayAmount, userDayAmount, marketName),
    amountItem(labels.largestUnverified, budget.largestUnverified, marketName),
    amountItem(labels.largestBasic, budget.largestBasic, marketName),
    amountItem(labels.largestAdvanced, budget.largestAdvanced, marketName),
    textItem(labels.firstByHand, firstByHand ? '人工审核' : '可自动'),
    textItem(labels.reviewPercent, `${reviewPercent}%`),
  ];
}

async function previewChange(
  ctx: Ctx,
  { marketId }: { marketId: number },
  items: (marketName: string) => ApprovalItem[],
): Promise<Preview> {
  const { coin, marketName } = requireFound(await findTarget(ctx, { marketId }));
  return {
    input: [textItem('币种', marketName), ...items(marketName)],
    now: [
      ...(coin?.stopped ? [textItem('状态', '已暂停')] : []),
      ...(coin?.budget ? budgetItems(coin.budget, marketName) : []),
    ],
    legs: [],
    problem: null,
  };
}
