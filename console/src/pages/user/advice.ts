import type { UserRow } from '@hengtai/contract/user.schema';

interface Advice {
  todo: string;
  /** Where it can be done. */
  to?: string;
}

type Who = Pick<UserRow, 'id' | 'account'>;

const advices: Readonly<Record<string, (who: Who) => Advice>> = {
  balance: ({ id }) => ({
    todo: '由用户提走，或由资产调整扣减到零；冻结的部分先解冻。',
    to: `/user?open=${id}&tab=assets`,
  }),
  recharge: ({ id }) => ({ todo: '等待到账，或放行挂起的充值。', to: `/recharge?userId=${id}` }),
  withdraw: ({ id }) => ({ todo: '通过或驳回，并等到打款结束。', to: `/withdraw?userId=${id}` }),
  approval: () => ({ todo: '由另一位复核员通过或驳回。', to: '/approval?state=0' }),
  auth: ({ account }) => ({ todo: '完成实名审核。', to: `/auth?state=0&account=${encodeURIComponent(account)}` }),
  trade: ({ account }) => ({ todo: '撤销未成交的委托。', to: `/trade/order?account=${encodeURIComponent(account)}` }),
  future: ({ account }) => ({
    todo: '撤销委托并平掉持仓。',
    to: `/future/open?account=${encodeURIComponent(account)}`,
  }),
  second: ({ account }) => ({
    todo: '等待秒合约到期结算。',
    to: `/second/open?account=${encodeURIComponent(account)}`,
  }),
  ieo: ({ account }) => ({ todo: '通过或驳回认购。', to: `/ieo/review?account=${encodeURIComponent(account)}` }),
  follow: ({ account }) => ({ todo: '结束跟单。', to: `/follow?account=${encodeURIComponent(account)}` }),
};

/** What to do about something that keeps a user from being deleted, by its kind. */
export function adviceFor(what: string, who: Who): Advice {
  return (Object.hasOwn(advices, what) ? advices[what]?.(who) : undefined) ?? { todo: '处理完成后再删除。' };
}
