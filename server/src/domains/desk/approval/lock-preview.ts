import { type Ability, abilityLabels } from '@hengtai/contract/authority/ability';
import type { PolicyName } from '@hengtai/contract/authority/actions';
import {
  BRANCH_MULTIPLE,
  HOUSE_MULTIPLE,
  POLICY,
  limitedPolicies,
  lockSwitches,
  policies,
  lockedValueOf,
  POLICY_PREFIX,
} from '@hengtai/contract/desk/approval/calls';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { settingText } from '@hengtai/contract/desk/config/calls';
import { Decimal } from '@hengtai/contract/values/decimal';
import { withSeparators } from '@hengtai/contract/values/money';
import { textItem } from '../../../actions/preview.ts';
import type { Holder, Limits, PolicyState } from '../../../actions/four-eyes.store.ts';

/** The terms that the checker confirms by locking four-eyes. */
export interface LockTerms {
  policies: readonly PolicyState[];
  limits: readonly Limits[];
  /** Keys of the policies that stay off. */
  exceptions: readonly string[];
}

type Value = Pick<PolicyState, 'state' | 'num'>;

export const isPolicyName = (name: string): name is PolicyName => name in policies;

/** The policies after the lock, and the limits of those that have limits. */
export function lockItems({ policies, limits, exceptions }: LockTerms): ApprovalItem[] {
  const policyAfterLock = (policy: PolicyState): Value =>
    policy.state !== POLICY.off || exceptions.includes(policy.key) || !isPolicyName(policy.key)
      ? policy
      : lockedValueOf(policy.key);
  const policyItems = policies.map((policy) => {
    const words = settingText(
      { ...policyAfterLock(policy), str: '', key: `${POLICY_PREFIX}${policy.key}`, kind: 'num' },
      withSeparators,
    );
    return textItem(
      `复核策略 · ${policy.name}`,
      `${words}${exceptions.includes(policy.key) ? '（例外，须签署）' : ''}`,
    );
  });
  const limitPolicies = policies.filter(({ key }) => limitedPolicies.some((name) => name === key));
  const limitsOf = ({ key }: PolicyState): Limits =>
    limits.find(({ policy }) => policy === key) ?? { policy: key, branch: '0', house: '0', twoCheckers: '0' };
  const switches = Object.values(lockSwitches).map((name) => textItem(`设置 · ${name}`, '开启'));
  return [
    ...policyItems,
    ...switches,
    ...limitPolicies.map((policy) =>
      textItem(`限额：${policy.name}`, limitWords(policyAfterLock(policy), limitsOf(policy))),
    ),
  ];
}

/** What one operator may do alone within 24 hours, and how many checkers are needed above that, as a Chinese text. */
export function limitWords({ state, num }: Value, { branch, house, twoCheckers }: Limits): string {
  if (state === POLICY.off) return '不复核，没有限额';
  const twoCheckersText =
    Number(twoCheckers) === 0 ? '' : `，同一用户合计超过 ${withSeparators(twoCheckers)} USDT 须两名`;
  const above = `须一名复核员${twoCheckersText}`;
  if (state !== POLICY.above) return `每一笔都${above}`;
  const limit = (configured: string, multiple: number): string =>
    withSeparators(Number(configured) === 0 ? new Decimal(num).mul(multiple).toFixed() : configured);
  const limitTexts = [
    `同一用户 ${withSeparators(num)}`,
    `同一分支 ${limit(branch, BRANCH_MULTIPLE)}`,
    `全平台 ${limit(house, HOUSE_MULTIPLE)}`,
  ];
  return `24 小时内合计不超过${limitTexts.join('、')} USDT 时无需复核；超过其一${above}`;
}

export const holderItems = (holders: readonly Holder[]): ApprovalItem[] =>
  holders.map(({ account, abilities, codes }) =>
    textItem(
      account,
      `${abilities.map((ability) => abilityLabels[ability as Ability]).join('、')}${codes ? '' : '；未启用第二因素'}`,
    ),
  );
