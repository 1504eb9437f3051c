import {
  BRANCH_LIMIT_PREFIX,
  BRANCH_MULTIPLE,
  HOUSE_LIMIT_PREFIX,
  HOUSE_MULTIPLE,
  type PolicyName,
  TWO_CHECKERS_PREFIX,
} from '@hengtai/contract/approval';
import { POLICY_PREFIX, isPolicy } from '@hengtai/contract/config';
import type { ConfigRow } from '@hengtai/contract/config.schema';

/** Which subtree the checker must have in scope. */
const checkers = { user: '管辖该用户', agent: '管辖该代理', maker: '管辖提交人' } as const;

interface PolicyWords {
  what: string;
  who: keyof typeof checkers;
}

const policyWords: Readonly<Record<PolicyName, PolicyWords>> = {
  'withdraw.pass': { what: '审核通过用户的提现，随即打款', who: 'user' },
  'withdraw.retry': { what: '打款失败后再次打款', who: 'user' },
  'withdraw.refund': { what: '把未打款的提现退回用户余额', who: 'user' },
  'withdraw.resolve': { what: '打款结果不明时，认定已打款或未打款', who: 'user' },
  'agent.del': { what: '删除代理账号', who: 'agent' },
  'user.second': { what: '为一位用户单独设置秒合约收益率', who: 'user' },
  'asset.active': { what: '增加或扣减用户的可用资产', who: 'user' },
  'asset.frozen': { what: '冻结或解冻用户的资产', who: 'user' },
  'market.save': { what: '新增市场，修改市场的费率、限额、网络与开关', who: 'maker' },
  'plan.save': { what: '修改价格保护的区间，或停止监控', who: 'maker' },
  'trade.cancel': { what: '撤销用户的一笔现货委托', who: 'user' },
  'trade.cancelAll': { what: '撤销一个市场的全部现货委托', who: 'maker' },
  'ieo.pass': { what: '通过用户的代币认购', who: 'user' },
  'second.void': { what: '作废秒合约并退回本金', who: 'user' },
  'second.configSave': { what: '新增或修改秒合约的时长、收益率与限额', who: 'maker' },
  'second.configDel': { what: '删除秒合约的一个时长', who: 'maker' },
  'follow.close': { what: '替用户结束跟单', who: 'user' },
  'future.cancel': { what: '撤销用户的一笔合约委托', who: 'user' },
  'future.close': { what: '替用户平掉合约仓位', who: 'user' },
};

const wordsByName: Readonly<Record<string, PolicyWords>> = policyWords;

/** The description of a setting: scope and checker of a policy, otherwise the stored remark. */
export function remarkOf(row: Pick<ConfigRow, 'key' | 'remark'>): string {
  if (!isPolicy(row)) return row.remark;
  const words = wordsByName[row.key.slice(POLICY_PREFIX.length)];
  return words ? `${words.what}。由${checkers[words.who]}的另一位复核员确认。` : '';
}

const LIMITS = [
  { prefix: BRANCH_LIMIT_PREFIX, zero: `单用户金额的 ${BRANCH_MULTIPLE} 倍` },
  { prefix: HOUSE_LIMIT_PREFIX, zero: `单用户金额的 ${HOUSE_MULTIPLE} 倍` },
  { prefix: TWO_CHECKERS_PREFIX, zero: '不启用' },
] as const;

/** The meaning of 0 for a limit; undefined for any other setting. */
export const zeroMeaningOf = (key: string): string | undefined =>
  LIMITS.find(({ prefix }) => key.startsWith(prefix))?.zero;

/** Groups the settings. The limits of a policy follow it in its group. */
export function groupsOf(rows: readonly ConfigRow[]): ConfigRow[][] {
  const policies = new Set(rows.filter(isPolicy).map(({ key }) => key));
  const isPolicyLimit = ({ key }: ConfigRow) =>
    LIMITS.some(({ prefix }) => key.startsWith(prefix) && policies.has(POLICY_PREFIX + key.slice(prefix.length)));
  const groups = new Map<string, ConfigRow[]>();
  for (const row of rows) {
    if (isPolicyLimit(row)) continue;
    const name = row.key.slice(POLICY_PREFIX.length);
    const limits = isPolicy(row) ? LIMITS.flatMap(({ prefix }) => rows.filter(({ key }) => key === prefix + name)) : [];
    groups.set(row.group, [...(groups.get(row.group) ?? []), row, ...limits]);
  }
  return [...groups.values()];
}
