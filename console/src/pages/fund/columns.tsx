import { fundStates } from '@hengtai/contract/fund';
import type { FundRow } from '@hengtai/contract/fund.schema';
import {
  type Bucket,
  type EntryType,
  type Platform,
  bucketLabels,
  entryLabels,
  platformLabels,
} from '@hengtai/contract/money';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';

const tones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'good', 2: 'warn' };

/** What an entry belongs to, as the pages call it. */
const refWords: Readonly<Record<string, string>> = {
  recharge: '充值',
  withdraw: '提现',
  internalTransfer: '内部转账',
  import: '期初导入',
};

const col = colOf<FundRow>();
const titled = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;

export const fundColumns = [
  col('id', { title: '编号', width: 84, fixed: 'left', locked: true }),
  col('account', { title: '账号', width: 150, render: titled }),
  col('type', { title: '类型', width: 110, render: (value) => entryLabels[value as EntryType] ?? value }),
  col('bucket', { title: '余额类别', width: 84, render: (value) => bucketLabels[value as Bucket] ?? value }),
  col('marketName', { title: '币种', width: 72 }),
  col('amount', { title: '变动', width: 140, align: 'right', render: (value) => <Money value={value} sign /> }),
  col('balance', { title: '变动后', width: 140, align: 'right', render: (value) => <Money value={value} /> }),
  col('createdAt', { title: '时间', width: 172, render: (value) => <Time value={value} /> }),
  col('platform', { title: '账户', width: 104, render: (value) => platformLabels[value as Platform] ?? value }),
  col('state', {
    title: '核对',
    width: 90,
    render: (value) => <StateTag state={value} labels={fundStates} tones={tones} />,
  }),
  col('refId', {
    title: '关联',
    width: 130,
    render: (value, row) => `${refWords[row.refType] ?? row.refType} #${value}`,
  }),
  col('agent', { title: '所属代理', width: 120, render: titled }),
  col('operator', { title: '操作员', width: 110, render: titled }),
  col('remark', { title: '备注', width: 160, render: titled }),
  col('userId', { title: '用户编号', width: 96, hidden: true }),
  col('updatedAt', { title: '更新时间', width: 172, hidden: true, render: (value) => <Time value={value} /> }),
];

export const fundSums = [{ field: 'amount', label: '净变动' }] as const;
