import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const WALLET_TRANSFER = { queued: 0, moving: 1, done: 2, failed: 3, unknown: 4, cancelled: 5 } as const;
export const walletTransferStates = {
  0: '待下发',
  1: '调拨中',
  2: '已完成',
  3: '调拨失败',
  4: '结果不明',
  5: '已撤销',
} as const;

/** States in which the platform may still carry it out. What it takes from the wallet is reserved. */
export const openTransferStates = [WALLET_TRANSFER.queued, WALLET_TRANSFER.moving, WALLET_TRANSFER.unknown] as const;

/** Why the outcome of a transfer is unknown whose move is no longer on the chain. */
export const MOVE_REVERTED = '链上转账已被回滚';

export const walletTransferActions = {
  request: {
    summary: '钱包调拨',
    ability: ABILITY.assets,
    reason: 'required',
    reasons: ['补充热钱包', '归集到冷钱包', '补充手续费钱包'],
    fresh: true,
    approvable: 'walletTransfer.request',
    policy: { mode: 2, amount: '10000', who: 'maker' },
    guard: 'policy',
  },
  cancel: {
    summary: '撤销钱包调拨',
    short: '撤销',
    danger: true,
    ability: ABILITY.assets,
    target: 'walletTransfer',
    from: [WALLET_TRANSFER.queued],
    reason: 'optional',
    guard: { tightens: '撤销钱包尚未领取的调拨' },
  },
  resolve: {
    summary: '确认调拨结果',
    short: '确认结果',
    danger: true,
    ability: ABILITY.assets,
    target: 'walletTransfer',
    from: [WALLET_TRANSFER.moving, WALLET_TRANSFER.unknown],
    reason: 'required',
    fresh: true,
    guard: 'none',
  },
} as const satisfies ActionTable;

export const walletTransferFacts = {
  actions: walletTransferActions,
  targets: {
    walletTransfer: { label: '钱包调拨', path: '/wallet-transfer?open={id}', states: walletTransferStates },
  },
  waiting: {
    walletTransferUnknown: {
      label: '钱包调拨结果不明',
      query: `?state=${WALLET_TRANSFER.unknown}`,
      ability: [ABILITY.assets, ABILITY.audit],
    },
  },
  notifications: {
    'walletTransfer.queued': { label: '钱包调拨已下达' },
    'walletTransfer.moving': { label: '钱包调拨中' },
    'walletTransfer.done': { label: '钱包调拨已完成' },
    'walletTransfer.failed': { label: '钱包调拨失败', rings: true },
    'walletTransfer.unknown': { label: '钱包调拨结果不明', rings: true },
    'walletTransfer.cancelled': { label: '钱包调拨已撤销' },
  },
} as const satisfies NounFacts;
