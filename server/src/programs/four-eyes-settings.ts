import type { PolicyName } from '@hengtai/contract/authority/actions';
import {
  APPROVER_DELAY,
  BRANCH_LIMIT_PREFIX,
  BRANCH_MULTIPLE,
  CHECK_LEVERAGE,
  CHECK_LINKS,
  CHECK_RISE,
  HOUSE_LIMIT_PREFIX,
  HOUSE_MULTIPLE,
  PASSWORD_HOLD,
  PRICE_HOURS,
  PRICE_HOURS_DEFAULT,
  RISE_ALONE,
  TWO_CHECKERS_PREFIX,
  limitedPolicies,
  lockSwitches,
  policies,
  policyNames,
} from '@hengtai/contract/desk/approval/calls';
import { withSeparators } from '@hengtai/contract/values/money';
import { LEVERAGE_ALONE } from '@hengtai/contract/trading/signal/facts';
import type { FirstSetting } from './first-setting.ts';

/** What a policy covers, where its label does not say it. */
const policyTexts: Readonly<Partial<Record<PolicyName, string>>> = {
  'agent.del': '删除代理账号',
  'asset.active': '增加或扣减用户的可用资产',
  'asset.frozen': '冻结或解冻用户的资产',
  'second.void': '作废秒合约并退回本金',
  'second.configSave': '新增或修改秒合约的时长、收益率与限额',
  'second.configDel': '删除秒合约的一个时长',
  'follow.close': '替用户结束跟单',
  'future.cancel': '撤销用户的一笔合约委托',
  'future.cancelAll': '撤销一个市场的全部合约委托',
  'future.close': '替用户平掉合约仓位',
  'house.transfer': '在平台账户之间划转，包括自有资金的注入与取回',
  'ieo.pass': '通过用户的代币认购',
  'market.save': '新增市场，修改市场的费率、限额、网络与开关',
  'plan.save': '修改价格保护的区间，或停止监控',
  'recharge.release': '放行挂起的充值，已到账的随即入账',
  'trade.cancel': '撤销用户的一笔现货委托',
  'trade.cancelAll': '撤销一个市场的全部现货委托',
  'walletItem.explain': '说明链上差异；属于自有资金的，在托管与自有资金之间入账',
  'user.second': '为一位用户单独设置秒合约收益率',
  'walletTransfer.request': '在交易平台的两个钱包之间调拨资金',
  'withdraw.pass': '审核通过用户的提现，随即打款',
  'withdraw.retry': '打款失败后再次打款',
  'withdraw.refund': '把未打款的提现退回用户余额',
  'withdraw.resolve': '打款结果不明时，认定已打款或未打款',
};

/** Which subtree the checker must have in scope. */
const checkers = { user: '管辖该用户', agent: '管辖该代理', maker: '管辖提交人' } as const;

/** Policies, their limits, and what holds while four-eyes are locked. */
export const fourEyesSettings: readonly FirstSetting[] = [
  ...policyNames.map((name): FirstSetting => ({
    key: `policy.${name}`,
    name: policies[name].label,
    group: '复核策略',
    kind: 'num',
    num: policies[name].amount,
    state: policies[name].mode,
    min: '0',
    remark: `${policyTexts[name] ?? policies[name].label}。由${checkers[policies[name].who]}的另一位复核员确认。`,
  })),
  ...limitedPolicies.flatMap((policy): FirstSetting[] => [
    {
      key: `${BRANCH_LIMIT_PREFIX}${policy}`,
      name: `分支 24 小时限额：${policies[policy].label}(USDT)`,
      group: '复核限额',
      kind: 'num',
      min: '0',
      remark: `四眼锁定后，同一顶级代理团队 24 小时内无需复核的合计金额；0 为单用户金额的 ${BRANCH_MULTIPLE} 倍`,
    },
    {
      key: `${HOUSE_LIMIT_PREFIX}${policy}`,
      name: `全平台 24 小时限额：${policies[policy].label}(USDT)`,
      group: '复核限额',
      kind: 'num',
      min: '0',
      remark: `四眼锁定后，全平台 24 小时内无需复核的合计金额；0 为单用户金额的 ${HOUSE_MULTIPLE} 倍`,
    },
    {
      key: `${TWO_CHECKERS_PREFIX}${policy}`,
      name: `两人复核金额：${policies[policy].label}(USDT)`,
      group: '复核限额',
      kind: 'num',
      min: '0',
      remark: '同一用户 24 小时内合计超过此金额时，须两名复核员先后通过；0 为不启用',
    },
  ]),
  {
    key: APPROVER_DELAY,
    name: '新复核员生效时长(小时)',
    group: '四眼',
    kind: 'num',
    num: '24',
    min: '0',
    max: '720',
    remark: '四眼锁定后授予的审批复核权限，经过此时长才生效',
  },
  {
    key: PASSWORD_HOLD,
    name: '重置用户密码后暂缓提现',
    group: '四眼',
    kind: 'switch',
    remark: '四眼锁定后，开启：操作员重置用户密码无需复核，但该用户的提现 72 小时内不能通过；关闭：重置用户密码须复核',
  },
  {
    key: PRICE_HOURS,
    name: '价格的最长时限(小时)',
    group: '四眼',
    kind: 'num',
    num: String(PRICE_HOURS_DEFAULT),
    min: '1',
    max: '720',
    remark: '估值所用的价格早于此时长时，该笔操作视为超过复核策略的所有金额；USDT 没有时限。不影响其他操作的合计',
  },
  {
    key: CHECK_LINKS,
    name: lockSwitches[CHECK_LINKS],
    group: '四眼',
    kind: 'switch',
    state: 1,
    remark:
      '四眼锁定后，公告含有其他网站的链接时须复核；ANNOUNCE_HOSTS、客服地址和行情地址中的主机除外。锁定时自动开启',
  },
  {
    key: CHECK_LEVERAGE,
    name: lockSwitches[CHECK_LEVERAGE],
    group: '四眼',
    kind: 'switch',
    state: 1,
    remark: `四眼锁定后，杠杆超过 ${LEVERAGE_ALONE} 倍的跟单信号须复核。锁定时自动开启`,
  },
  {
    key: CHECK_RISE,
    name: lockSwitches[CHECK_RISE],
    group: '四眼',
    kind: 'switch',
    state: 1,
    remark: `四眼锁定后，通过实名会使用户的提现单笔最大、单日累计或自动打款上限提高超过 ${withSeparators(RISE_ALONE)} USDT 时须复核。锁定时自动开启`,
  },
];
