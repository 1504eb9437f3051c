import { ABILITY } from '../../authority/ability.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, listCall, read } from '../../wire/endpoint.ts';
import type { ActionInput } from '../../wire/schema.ts';
import { walletKinds } from '../wallet/facts.ts';
import { walletTransferActions, walletTransferStates } from './facts.ts';
import type {
  WalletTransferPreview,
  WalletTransferPreviewInput,
  WalletTransferRequest,
  WalletTransferResolve,
  WalletTransferRow,
} from './schema.ts';

export type WalletTransferState = keyof typeof walletTransferStates;

/** States in which each action is allowed. */
export const walletTransferActionStates = actionStatesOf(walletTransferActions);

/** What a person may decide about a transfer whose outcome is open. */
export const walletTransferOutcomes = { true: '已调拨', false: '未调拨' } as const;

const list = {
  filters: [
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: walletTransferStates },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id' },
    { field: 'id', label: '编号', kind: 'eq', type: 'id' },
    { field: 'fromId', label: '转出钱包编号', kind: 'eq', type: 'id', more: true },
    { field: 'toId', label: '转入钱包编号', kind: 'eq', type: 'id', more: true },
    { field: 'platformId', label: '交易平台编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: walletTransferStates },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'amount', title: '数量', kind: 'amount' },
    { field: 'network', title: '网络', kind: 'text' },
    { field: 'fromWallet', title: '转出钱包', kind: 'text' },
    { field: 'fromKind', title: '转出钱包类型', kind: 'state', labels: walletKinds },
    { field: 'toWallet', title: '转入钱包', kind: 'text' },
    { field: 'toKind', title: '转入钱包类型', kind: 'state', labels: walletKinds },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'by', title: '提交人', kind: 'operator' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'secondBy', title: '复核人', kind: 'operator' },
    { field: 'answer', title: '答复', kind: 'text' },
    { field: 'resolvedBy', title: '处理人', kind: 'operator' },
    { field: 'outHash', title: '转出交易哈希', kind: 'hash' },
    { field: 'inHash', title: '转入交易哈希', kind: 'hash' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
    { field: 'platformName', title: '交易平台', kind: 'text' },
    { field: 'no', title: '单号', kind: 'hash' },
  ],
  views: [{ name: '结果不明', query: 'state=4' }],
} as const;

/** Transfers between wallets of a platform. All calls require full scope; reading takes ability 2 or 12. */
export const walletTransfer = {
  list: listCall<WalletTransferRow>()('wallet/transfer/list', '钱包调拨', list),
  preview: read<WalletTransferPreviewInput, WalletTransferPreview>()('wallet/transfer/preview', '钱包调拨预览', {
    ability: ABILITY.assets,
  }),
  request: action<WalletTransferRequest, WalletTransferRow>()(walletTransferActions.request, 'wallet/transfer'),
  cancel: action<ActionInput, WalletTransferRow>()(walletTransferActions.cancel, 'wallet/transfer/cancel'),
  resolve: action<WalletTransferResolve, WalletTransferRow>()(walletTransferActions.resolve, 'wallet/transfer/resolve'),
};
