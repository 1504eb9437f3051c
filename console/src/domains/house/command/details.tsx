import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { targetText } from '@hengtai/contract/authority/target';
import { Time } from '../../../ui/value/Time.tsx';
import { typeText } from './columns.tsx';
import { stateText } from './words.ts';

/** The details that identify a command in every dialog. */
export const detailsOf = (row: CommandRow) => [
  { label: '指令', value: typeText(row.type) },
  { label: '对象', value: targetText(row) },
  { label: '用户', value: row.account === null ? '--' : `${row.account}（${row.userId}）` },
  { label: '状态', value: stateText(row.state) },
  { label: '时间', value: <Time value={row.createdAt} /> },
  { label: '发送次数', value: row.attempt },
  { label: '平台答复', value: row.reason || '--', wide: true },
  { label: '平台单号', value: row.no || '--', wide: true },
];

export const amountsOf = ({ amount, marketName }: CommandRow) =>
  amount === null ? undefined : [{ value: amount, unit: marketName ?? '' }];
