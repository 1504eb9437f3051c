import { USER_KYC } from '@hengtai/contract/people/user/calls';
import { KYC_LEVEL } from '@hengtai/contract/risk/kyc/calls';
import { CHECK_RISE, RISE_ALONE } from '@hengtai/contract/desk/approval/calls';
import { Decimal } from '@hengtai/contract/values/decimal';
import { effectiveTerms, identityLevelOf, identityLevels } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { Ctx } from '../../../app/context.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import { requireFound } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';
import { largestOf } from '../auto-payout/auto-payout.steps.ts';
import { fetchBudgets } from '../auto-payout/coin.store.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { findUser } from '../../people/user/user.store.ts';
import { findGroupOf } from '../withdraw-limit/group.store.ts';
import { findApplying } from '../withdraw-limit/judge.steps.ts';
import { fetchLimitCoins, fetchLimits } from '../withdraw-limit/limit.store.ts';
import { type KycRecord, findValue } from './kyc.store.ts';

/** A maximum of a coin that a passed review raises. Infinity is no maximum; 0 is closed, or no automatic payout. */
interface Rise {
  marketId: number;
  marketName: string;
  what: string;
  before: Decimal;
  after: Decimal;
}

const NONE = new Decimal(0);
const maximumOf = (text: string): Decimal => (Number(text) === 0 ? new Decimal(Infinity) : new Decimal(text));

/** Every maximum of the user that rises when the submission passes. */
async function findRises(ctx: Ctx, { userId, level }: Pick<KycRecord, 'userId' | 'level'>): Promise<Rise[]> {
  const { auth } = requireFound(await findUser(ctx, userId));
  const groupId = (await findGroupOf(ctx, userId))?.id ?? null;
  const [coins, limits, budgets] = await withFullScope(ctx.db, async () => [
    await fetchLimitCoins(ctx.db),
    await fetchLimits(ctx.db, null),
    await fetchBudgets(ctx.db),
  ]);
  const authAfter = Math.max(auth, level === KYC_LEVEL.advanced ? USER_KYC.advanced : USER_KYC.basic);
  const rises = coins.flatMap((coin): Rise[] => {
    const { marketId, marketName } = coin;
    const budget = budgets.find((one) => one.marketId === marketId)?.budget;
    const maximaAt = (state: number): [what: string, Decimal][] => {
      const { level: tier, group } = findApplying(limits, marketId, { auth: state, groupId });
      const terms = effectiveTerms(coin, tier, group);
      const open = terms.withdrawState !== 0;
      return [
        ['单笔最大', open ? maximumOf(terms.singleMax) : NONE],
        ['单日累计', open ? maximumOf(terms.dayAmount) : NONE],
        ['自动打款上限', budget ? new Decimal(largestOf(budget, identityLevelOf(state))) : NONE],
      ];
    };
    const before = new Map(maximaAt(auth));
    return maximaAt(authAfter).map(([what, after]) => ({
      marketId,
      marketName,
      what,
      before: before.get(what) ?? NONE,
      after,
    }));
  });
  return rises.filter(({ before, after }) => after.gt(before));
}

/** Whether passing the submission raises a maximum of the user by more than one person may. */
export async function raisesLimits(ctx: Ctx, submission: KycRecord): Promise<boolean> {
  if (!(await isSettingOn(ctx.db, CHECK_RISE))) return false;
  for (const { marketId, before, after } of await findRises(ctx, submission)) {
    const value = after.isFinite() ? await findValue(ctx.db, marketId, after.minus(before).toFixed()) : null;
    // No maximum, or a coin without a price.
    if (value === null || new Decimal(value).gt(RISE_ALONE)) return true;
  }
  return false;
}

const amountText = (amount: Decimal): string => (amount.isFinite() ? amount.toFixed() : '不限');

/** What the checker sees: the levels, and every maximum that rises. No personal data. */
export async function previewRises(ctx: Ctx, submission: KycRecord, problem: string | null): Promise<Preview> {
  const { auth, account } = requireFound(await findUser(ctx, submission.userId));
  const rises = await findRises(ctx, submission);
  return {
    input: [
      textItem('用户', account),
      textItem('认证等级', identityLevels[submission.level === KYC_LEVEL.advanced ? 2 : 1]),
      ...rises.map(({ marketName, what, before, after }) =>
        textItem(`${marketName} ${what}`, `${amountText(before)} → ${amountText(after)}`),
      ),
    ],
    now: [textItem('现有等级', identityLevels[identityLevelOf(auth)])],
    legs: [],
    problem,
  };
}
