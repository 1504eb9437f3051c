import { alarm } from '@hengtai/contract/house/alarm/calls';
import { alarmStates, ALARM, alarmKinds } from '@hengtai/contract/house/alarm/facts';
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { agentCell, operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import type { Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';

export const alarmTones: Readonly<Record<number, Tone>> = { [ALARM.open]: 'warn', [ALARM.closed]: 'idle' };

/** The label of an alarm kind; the kind itself if this version has no label for it. */
export const kindText = (kind: string): string => (alarmKinds as Readonly<Record<string, string>>)[kind] ?? kind;

/** Whose automatic payouts it stops, in a word; the open alarm says it whole. */
const stopWords = { nothing: '', user: '该用户', coin: '该币种' } as const satisfies Record<AlarmRow['stops'], string>;

const col = listColOf<AlarmRow>()(alarm.list.list.columns);

export const alarmColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('state', { width: 88, render: stateCell(alarmStates, alarmTones) }),
  col('kind', { width: 150, render: (value) => textCell(kindText(value)) }),
  col('targetType', { width: 104, under: 'kind', render: (_value, row) => <TargetLink target={row} /> }),
  col('account', { width: 146, render: userCell }),
  col('amount', { width: 150, align: 'right', render: moneyCell }),
  col('marketName', { width: 72, unitOf: 'amount', render: textCell }),
  col('txHash', {
    width: 200,
    drawer: true,
    render: (value, row) => <Hash value={value} label="交易哈希" explorer={row.explorer} />,
  }),
  col('createdAt', { width: 104, render: timeCell }),
  col('stops', { width: 76, render: (value) => textCell(stopWords[value]) }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 160, drawer: true, render: textCell }),
  col('closedAt', { width: 104, drawer: true, render: timeCell }),
  col('userId', { width: 96, hidden: true }),
];
