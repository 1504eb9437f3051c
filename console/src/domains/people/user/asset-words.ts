import { ASSET } from '@hengtai/contract/funds/asset/calls';
import { type AssetAction } from '@hengtai/contract/funds/asset/facts';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import type { AssetRow } from '@hengtai/contract/people/user/schema';
import { formatGrouped, formatPlain } from '../../../ui/value/decimal.ts';

export const ASSET_ACTIONS: readonly AssetAction[] = [1, 2, 3, 4];

/** The reason on a button that is disabled because the ability is missing. */
export const NO_ASSET_ABILITY = `没有「${abilityLabels[ABILITY.assets]}」权限`;

/** Why an adjustment of an account is not possible: nothing can be taken from a balance of 0. */
export function assetDisabledReason(action: AssetAction, { active, frozen }: Pick<AssetRow, 'active' | 'frozen'>) {
  if (action === ASSET.frozenSub) return formatPlain(frozen) === '0' ? '冻结余额为 0' : undefined;
  return action !== ASSET.activeAdd && formatPlain(active) === '0' ? '可用余额为 0' : undefined;
}

/** The label of the available amount for each action that takes from the account. */
export const availableLabels: Readonly<Record<AssetAction, string>> = {
  1: '',
  2: '可扣减',
  3: '可冻结',
  4: '可解冻（仅人工冻结部分）',
};

/** Explains for an action what counting it in reports (1) or not (0) changes. */
export function reportStateText(action: AssetAction, state: 0 | 1): string {
  if (state === 0) return '只更正余额，首页与报表的充值、提现都不变';
  return action === ASSET.activeAdd ? '首页与报表中计作一笔充值' : '首页与报表中计作一笔提现';
}

/** The consequence of an adjustment, in one sentence. */
export function assetConsequence(
  action: AssetAction,
  target: { account: string; place: string; amount: string; coin: string },
  needsChecker: boolean,
): string {
  const sum = `${formatGrouped(target.amount)} ${target.coin}`;
  const consequences: Record<AssetAction, string> = {
    1: `${target.account} 的${target.place}可用余额增加 ${sum}，由人工调账账户支出，用户立即可用。`,
    2: `${target.account} 的${target.place}可用余额减少 ${sum}，转入人工调账账户。`,
    3: `${target.account} 的${target.place}有 ${sum} 转为冻结，解冻前用户不能使用。`,
    4: `${target.account} 的${target.place}有 ${sum} 由冻结转回可用，用户立即可用。`,
  };
  return needsChecker
    ? `提交后由另一位复核员确认，确认时重新检查余额，确认后：${consequences[action]}`
    : consequences[action];
}
