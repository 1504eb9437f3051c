import type { ActionInput } from '../../wire/schema.ts';
import { ledgerEntryStates, ledgerEntryActions } from './facts.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, listCall } from '../../wire/endpoint.ts';
import type { LedgerEntryRow, LedgerEntrySum } from './schema.ts';
import { bucketLabels, platformLabels, userEntryLabels } from '../../values/money.ts';
import { targetText } from '../../authority/target.ts';

export type LedgerEntryState = keyof typeof ledgerEntryStates;

export const ledgerEntryActionStates = actionStatesOf(ledgerEntryActions) satisfies Record<
  string,
  readonly LedgerEntryState[]
>;
export type LedgerEntryAction = keyof typeof ledgerEntryActionStates;

/** Kinds of corporate actions. */
export const corporateKinds = { 1: '拆分', 2: '空投', 3: '币种换算', 4: '下架兑换' } as const;
export type CorporateKind = keyof typeof corporateKinds;

/** The record that an entry belongs to. */
export const ledgerEntryTarget = ({ refType, refId }: Pick<LedgerEntryRow, 'refType' | 'refId'>) => ({
  targetType: refType,
  targetId: refId,
});

const refText = (row: Pick<LedgerEntryRow, 'refType' | 'refId'>): string => targetText(ledgerEntryTarget(row));

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'type', label: '类型', kind: 'eq', type: 'int', options: userEntryLabels, several: true },
    { field: 'state', label: '核对', kind: 'eq', type: 'int', options: ledgerEntryStates },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id', more: true },
    { field: 'platform', label: '账户类型', kind: 'eq', type: 'int', options: platformLabels, more: true },
    { field: 'bucket', label: '余额类别', kind: 'eq', type: 'text', options: bucketLabels, more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
    { field: 'refId', label: '关联编号', kind: 'eq', type: 'id', more: true },
    {
      field: 'operator',
      label: '操作员',
      kind: 'eq',
      type: 'text',
      hint: '操作员的完整账号，不区分大小写',
      more: true,
    },
    // The platform's number of a corporate action, which has entries of many accounts.
    { field: 'batch', label: '权益调整批次', kind: 'eq', type: 'text', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'type', title: '类型', kind: 'state', labels: userEntryLabels },
    { field: 'bucket', title: '余额类别', kind: 'state', labels: bucketLabels },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'amount', title: '变动', kind: 'amount', signed: true },
    { field: 'balance', title: '变动后', kind: 'amount' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'platform', title: '账户', kind: 'state', labels: platformLabels },
    { field: 'state', title: '核对', kind: 'state', labels: ledgerEntryStates },
    { field: 'refId', title: '关联', kind: 'text', text: refText },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'operator', title: '操作员', kind: 'operator' },
    { field: 'remark', title: '备注', kind: 'text' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sums: ['amount'],
  views: [
    { name: '存疑', query: 'state=2' },
    { name: '权益调整', query: 'type=27' },
  ],
} as const;

export const ledgerEntry = {
  record: listCall<LedgerEntryRow, LedgerEntrySum>()('fund/record', '资金记录', list),
  check: action<ActionInput, LedgerEntryRow>()(ledgerEntryActions.check, 'fund/record/state/check'),
  doubt: action<ActionInput, LedgerEntryRow>()(ledgerEntryActions.doubt, 'fund/record/state/doubt'),
  reset: action<ActionInput, LedgerEntryRow>()(ledgerEntryActions.reset, 'fund/record/state/reset'),
};
