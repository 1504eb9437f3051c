import { config, valueAfter, valueBefore } from '@hengtai/contract/config';
import type { ConfigHistoryRow } from '@hengtai/contract/config.schema';
import { Hash } from '../../ui/Hash.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';
import { nameOf, textOf } from './value.ts';

const col = listColOf<ConfigHistoryRow>()(config.history.list.columns);

export const historyColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('group', { width: 104 }),
  col('name', { width: 210, render: (_value, row) => <span title={row.key}>{nameOf(row)}</span> }),
  col('beforeStr', {
    width: 180,
    render: (_value, row) => <Value text={textOf({ ...row, ...valueBefore(row) })} />,
  }),
  col('afterStr', { width: 180, render: (_value, row) => <Value text={textOf({ ...row, ...valueAfter(row) })} /> }),
  col('by', { width: 140 }),
  col('reason', { width: 200, render: (value) => (value === '' ? '--' : <span title={value}>{value}</span>) }),
  col('restoredId', { width: 96, render: (value) => (value === null ? '--' : `#${value}`) }),
  col('requestId', { width: 170, render: (value) => <Hash value={value} what="请求编号" /> }),
];

const Value = ({ text }: { text: string }) => <span title={text}>{text}</span>;
