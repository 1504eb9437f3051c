import { ABILITY } from '../../authority/ability.ts';
import type { NounFacts } from '../../authority/action.ts';

export const WALLET_COIN = { unconnected: 0, equal: 1, different: 2 } as const;
export const walletCoinStates = { 0: '未接入', 1: '相符', 2: '有差额' } as const;

/** A reading is shown as outdated after this time. */
export const READING_MAX_AGE_MS = 3_600_000;

/** Setting: days of net outflow that hot wallets are to cover; below it a transfer into them is proposed. 0 is off. */
export const TOP_UP_DAYS = 'wallet.topUpDays';
/** Setting: days of net outflow above which a transfer out of hot wallets is proposed. 0 is off. */
export const SWEEP_DAYS = 'wallet.sweepDays';

/** Transfers that the figures of a coin propose. */
export const proposalKinds = { topUp: '建议补充', sweep: '建议归集' } as const;
export type ProposalKind = keyof typeof proposalKinds;

/** Why money is counted by books or wallets alone. */
export const underWayKinds = {
  deposit: '链上已到，尚未入账',
  payout: '链上已付，尚未记账',
  move: '转账的另一边尚未到',
  other: '用途不明的转账',
  recharge: '已入账，尚无链上流水',
  withdraw: '已记账，尚无链上流水',
  fee: '手续费尚无钱包',
} as const;
export type UnderWayKind = keyof typeof underWayKinds;

export const walletCoinFacts = {
  actions: {},
  targets: { walletCoin: { label: '钱包对账', path: '/wallet-coin?open={id}', states: walletCoinStates } },
  waiting: {
    walletDifferent: { label: '钱包与账本不符', query: '?state=2', ability: [ABILITY.assets, ABILITY.audit] },
  },
} as const satisfies NounFacts;
