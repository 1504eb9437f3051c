import type { UserRow } from '@hengtai/contract/people/user/schema';

interface Advice {
  todo: string;
  /** Path of the page for it. */
  to?: string;
}

type UserIdentity = Pick<UserRow, 'id' | 'account'>;

const adviceByKind: Readonly<Record<string, (user: UserIdentity) => Advice>> = {
  balance: ({ id }) => ({
    todo: '由用户提走，或由资产调整扣减到零；冻结的部分先解冻。',
    to: `/user?open=${id}&tab=assets`,
  }),
  recharge: ({ id }) => ({ todo: '等待到账，或放行挂起的充值。', to: `/recharge?userId=${id}` }),
  withdraw: ({ id }) => ({ todo: '通过或驳回，并等到打款结束。', to: `/withdraw?userId=${id}` }),
  approval: () => ({ todo: '由另一位复核员通过或驳回。', to: '/approval?state=0' }),
  auth: ({ account }) => ({ todo: '完成实名审核。', to: `/auth?state=0&account=${encodeURIComponent(`=${account}`)}` }),
  trade: ({ account }) => ({
    todo: '撤销未成交的委托。',
    to: `/trade/order?account=${encodeURIComponent(`=${account}`)}`,
  }),
  future: ({ account }) => ({
    todo: '撤销委托并平掉持仓。',
    to: `/future/open?account=${encodeURIComponent(`=${account}`)}`,
  }),
  second: ({ account }) => ({
    todo: '等待秒合约到期结算。',
    to: `/second/open?account=${encodeURIComponent(`=${account}`)}`,
  }),
  ieo: ({ account }) => ({ todo: '通过或驳回认购。', to: `/ieo/review?account=${encodeURIComponent(`=${account}`)}` }),
  follow: ({ account }) => ({ todo: '结束跟单。', to: `/follow?account=${encodeURIComponent(`=${account}`)}` }),
};

/** The advice for one kind of blocker of a deletion; a general text for an unknown kind. */
export function adviceFor(what: string, user: UserIdentity): Advice {
  return (Object.hasOwn(adviceByKind, what) ? adviceByKind[what]?.(user) : undefined) ?? { todo: '处理完成后再删除。' };
}
