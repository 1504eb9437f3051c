import { USER_FROZEN } from '@hengtai/contract/funds/withdraw/facts';

/** Level 3: a payout to a frozen user needs its account typed, and a reason. */
export const frozenChallengeOf = ({ account }: { account: string }) => ({
  challenge: { label: `${USER_FROZEN}，请输入账号以确认`, expect: account },
  reason: { required: true, chips: ['已与用户核实', '冻结与本笔提现无关'] },
});
