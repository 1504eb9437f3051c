import { config, valueAfter, valueBefore } from '@hengtai/contract/desk/config/calls';
import type { ConfigHistoryRow } from '@hengtai/contract/desk/config/schema';
import { agentCell } from '../../../navigation/account-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { timeCell } from '../../../ui/table/list-cells.tsx';
import { nameOf, textOf } from './value.ts';

const col = listColOf<ConfigHistoryRow>()(config.history.list.columns);

export const historyColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('createdAt', { width: 104, render: timeCell }),
  col('group', { width: 104, under: 'name' }),
  col('name', { width: 176, render: (_value, row) => <span title={`${nameOf(row)} ${row.key}`}>{nameOf(row)}</span> }),
  col('beforeStr', {
    width: 146,
    render: (_value, row) => <Value text={textOf({ ...row, ...valueBefore(row) })} />,
  }),
  col('afterStr', { width: 146, render: (_value, row) => <Value text={textOf({ ...row, ...valueAfter(row) })} /> }),
  col('by', { width: 140, render: agentCell }),
  col('reason', {
    width: 200,
    under: 'by',
    render: (value) => (value === '' ? '--' : <span title={value}>{value}</span>),
  }),
  col('restoredId', { width: 96, under: 'id', render: (value) => (value === null ? '--' : `#${value}`) }),
  col('requestId', { width: 170, drawer: true, render: (value) => <Hash value={value} label="请求编号" /> }),
];

const Value = ({ text }: { text: string }) => <span title={text}>{text}</span>;
