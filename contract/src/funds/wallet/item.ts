import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable } from '../../authority/action.ts';

/** Setting: minutes after which a move without a record, or a record without a move, is an open item. */
export const MATCH_MINUTES = 'wallet.matchMinutes';

export const WALLET_ITEM = { waiting: 0, matched: 1, different: 2, explained: 3, reverted: 4 } as const;
export const walletItemStates = {
  0: '待匹配',
  1: '已匹配',
  2: '差异',
  3: '已说明',
  4: '已回滚',
} as const;
/** The states in which an item waits for people. */
export const openItemStates: readonly number[] = [WALLET_ITEM.waiting, WALLET_ITEM.different];
export const isOpenItem = ({ state }: { state: number }): boolean => openItemStates.includes(state);

export const walletItemKinds = { move: '链上流水', record: '业务记录', fee: '链上手续费' } as const;
export type WalletItemKind = keyof typeof walletItemKinds;

/** Why an item was opened. */
export const walletItemCauses = {
  noRecord: '有链上无记录',
  noMove: '有记录无链上',
  differs: '链上与记录不符',
  unordered: '无指令的打款',
  foreign: '转出至非自有钱包',
  feeDiffers: '手续费两次不一致',
  feeUnlisted: '手续费币种未上架',
} as const;
export type WalletItemCause = keyof typeof walletItemCauses;

export const walletItemActions = {
  explain: {
    summary: '说明链上差异',
    short: '说明',
    ability: ABILITY.assets,
    target: 'walletItem',
    from: openItemStates,
    reason: 'required',
    reasons: ['自有资金的转入', '自有资金的转出', '平台稍后补报', '已向平台核实'],
    fresh: true,
    name: 'walletItem.explain',
    approvable: 'walletItem.explain',
    policy: { mode: 2, amount: '1000', who: 'maker' },
    guard: 'policy',
  },
} as const satisfies ActionTable;
