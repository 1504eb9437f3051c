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
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { type Subject, reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import { type Save, saveOfRecord } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { pick } from '../../../app/pick.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';
import type { DecidedWithdraw } from '../../funds/withdraw/withdraw.rules.ts';
import { findWithdraw } from '../../funds/withdraw/withdraw.store.ts';
import {
  fetchCoins,
  fetchUnstopped,
  fetchVersions,
  findMarketName,
  insertBudget,
  lockBudgets,
  startCoin,
  stopCoin,
} from './coin.store.ts';
import { notifyOfCoin } from './decide.steps.ts';
import { type LookedAt, lookedAt, requireLookedAt } from './looked-at.rules.ts';
import { budgetItems, causeItems, coinWords } from './preview.rules.ts';
import { listCoins } from './auto-payout-list.service.ts';
import { findDecision, insertReview } from './decision.store.ts';
import { fetchCauses, handleCauses, recordAlarmCauses } from './stop-cause.store.ts';
import { previewWhatIf } from './what-if.service.ts';
import { findStartWhatIf, findWhatIf } from './what-if.steps.ts';

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

function requireSeen({ marketId, coin }: Target, seen: number | undefined): void {
  if (coin?.updatedAt === seen) return;
  throw refuseStaleSave({
    target: { type: 'autoPayout', id: marketId },
    since: seen,
    current: { at: coin?.updatedAt ?? null },
    words: coinWords(coin),
  });
}

/** The coin after all changes that others have committed. */
async function lockTarget(ctx: Ctx, input: { marketId: number; seen?: number }): Promise<Target> {
  await lockBudgets(ctx.db, input.marketId);
  const target = requireFound(await findTarget(ctx, input));
  requireSeen(target, input.seen);
  return target;
}

/** Handles the causes that were looked at, once the coin is locked and its open alarms are recorded. */
async function handleLookedAt(ctx: Ctx, { marketId }: Target, input: LookedAt): Promise<void> {
  await recordAlarmCauses(ctx.db, marketId, ctx.now);
  requireLookedAt(requireFound(await findCoin(ctx, marketId)), input);
  await handleCauses(ctx.db, marketId, lookedAt(input), ctx.now);
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

/** What an approval of a budget signs; `stopped` is the stop that a start ends, `causes` what was looked at. */
interface SignedCoin {
  budget: AutoBudget | null;
  causes?: number[];
  stopped?: { at: number; why: string } | null;
  running?: boolean;
}

const saveOfCoin = <I extends { seen?: number }>(
  rules: Pick<Parameters<typeof saveOfRecord<I, Target, SignedCoin>>[0], 'before' | 'after' | 'loosens'>,
): Save<I, Target> =>
  saveOfRecord<I, Target, SignedCoin>({
    ...rules,
    line: ({ marketId }) => `autoPayout:${marketId}`,
    title: ({ marketName }) => `自动打款 ${marketName}`,
    words: (_ctx, { coin }) => coinWords(coin),
    renew: ({ seen: _seen, ...input }, { coin }) => ({ ...input, ...(coin && { seen: coin.updatedAt }) }) as I,
  });

const stopOf = ({ coin }: Target) => coin && coin.stopped && { at: coin.stopped.at, why: coin.stopped.why };
const budgetOf = ({ coin }: Target): AutoBudget | null => (coin?.budget ? pickBudget(coin.budget) : null);

/** Whether a save switches on what was off, so that causes of that time must be looked at. */
const switchesOn = ({ coin }: Target, { on }: AutoSave): boolean => on && coin !== null && !coin.on;

/** Saves a new version of the budget of a coin. A coin that is stopped stays so. */
export const autoSave = defineAction<AutoSave, AutoCoin, Target>({
  call: calls.save,
  authorize: requireHouse,
  load: findTarget,
  check: (_ctx, target, input) => {
    requireSeen(target, input.seen);
    if (switchesOn(target, input)) requireLookedAt(target.coin, input);
  },
  setting: {
    record: (target, ctx) => (target.coin ? { data: target.coin, subject: subjectOf(target, ctx) } : undefined),
    isSet: (target, input) => stableJson(budgetOf(target)) === stableJson(pickBudget(input)),
  },
  save: saveOfCoin<AutoSave>({
    before: (target) => ({ budget: budgetOf(target) }),
    after: (target, input) => ({
      budget: pickBudget(input),
      ...(switchesOn(target, input) && { causes: lookedAt(input) }),
    }),
    loosens: (before, after) => after?.budget != null && loosensBudget(before?.budget ?? null, after.budget),
  }),
  guard: {
    subject: subjectOf,
    preview: async (ctx, input) => ({
      ...(await previewChange(ctx, input, (name, coin) => [...budgetItems(input, name), ...causeItems(coin, input)])),
      ...previewWhatIf(ctx, () => findWhatIf(ctx, input)),
      consequence: input.on ? '系统在额度内自动打款，无需逐笔人工审核。' : '该币种的提现全部由人工审核。',
    }),
  },
  execute: async (ctx, input, _target, approved) => {
    const target = await lockTarget(ctx, input);
    const { coin, marketId, marketName } = target;
    const budget = pickBudget(input);
    await insertBudget(ctx, marketId, budget, {
      by: approved?.maker ?? ctx.operator.account,
      reason: reasonOf(input),
    });
    // What happened before the first budget must not stop the coin.
    if (!coin) await handleCauses(ctx.db, marketId, 'all', ctx.now);
    else if (switchesOn(target, input)) await handleLookedAt(ctx, target, input);
    return finish(ctx, target, {
      ...(coin?.budget && { before: pickBudget(coin.budget) }),
      after: { marketName, ...budget },
    });
  },
});

/** Starts a coin that was stopped: on the platforms whose causes were looked at, and on those that only a person stopped. */
export const autoStart = defineAction<AutoStart, AutoCoin, Target>({
  call: calls.start,
  authorize: requireHouse,
  load: findTarget,
  check: (_ctx, target, input) => {
    requireSeen(target, input.seen);
    if (!target.coin?.stopped) throw refuse(refusals.autoRunning);
    requireLookedAt(target.coin, input);
  },
  save: saveOfCoin<AutoStart>({
    before: (target) => ({ budget: budgetOf(target), stopped: stopOf(target), running: false }),
    after: (target, input) => ({
      budget: budgetOf(target),
      stopped: stopOf(target),
      causes: lookedAt(input),
      running: true,
    }),
    loosens: () => true,
  }),
  guard: {
    subject: subjectOf,
    preview: async (ctx, input) => ({
      ...(await previewChange(ctx, input, (_name, coin) => [textItem('改为', '恢复'), ...causeItems(coin, input)])),
      ...previewWhatIf(ctx, () => findStartWhatIf(ctx, { marketId: input.marketId })),
      consequence: '系统重新在额度内自动打款，无需逐笔人工审核。',
    }),
  },
  execute: async (ctx, input) => {
    const { db, now } = ctx;
    const target = await lockTarget(ctx, input);
    await handleLookedAt(ctx, target, input);
    await startCoin(db, target.marketId, now);
    await notifyOfCoin(db, 'autoPayout.started', target.marketId, now);
    return finish(ctx, target, { after: { marketName: target.marketName, causes: lookedAt(input) } });
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
        await stopCoin(db, id, { by: operator.id, now });
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

async function previewChange(
  ctx: Ctx,
  { marketId }: { marketId: number },
  items: (marketName: string, coin: AutoCoin | null) => ApprovalItem[],
): Promise<Preview> {
  const { coin, marketName } = requireFound(await findTarget(ctx, { marketId }));
  return {
    input: [textItem('币种', marketName), ...items(marketName, coin)],
    now: [
      ...(coin?.stopped ? [textItem('状态', '已暂停')] : []),
      ...(coin?.budget ? budgetItems(coin.budget, marketName) : []),
    ],
    legs: [],
    problem: null,
  };
}
