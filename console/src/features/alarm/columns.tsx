import { ALARM, alarm } from '@hengtai/contract/alarm';
import { alarmStates } from '@hengtai/contract/alarm.facts';
import type { AlarmRow } from '@hengtai/contract/alarm.schema';
import { alarmKinds } from '@hengtai/contract/notification';
import { TargetLink } from '../../navigation/TargetLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

export const alarmTones: Readonly<Record<number, Tone>> = { [ALARM.open]: 'bad', [ALARM.closed]: 'idle' };

/** The label of an alarm kind; the kind itself if this version has no label for it. */
export const kindText = (kind: string): string => (alarmKinds as Readonly<Record<string, string>>)[kind] ?? kind;

const col = listColOf<AlarmRow>()(alarm.list.list.columns);
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const alarmColumns = [
  col('id', { width: 76, fixed: 'left', locked: true }),
  col('state', {
    width: 92,
    render: (value) => <StateTag state={value} labels={alarmStates} tones={alarmTones} />,
  }),
  col('kind', { width: 164, render: (value) => withTitle(kindText(value)) }),
  col('targetType', { width: 104, render: (_value, row) => <TargetLink target={row} /> }),
  col('account', { width: 132, render: withTitle }),
  col('amount', { width: 148, align: 'right', render: (value) => <Money value={value} /> }),
  col('marketName', { width: 72, render: withTitle }),
  col('txHash', {
    width: 210,
    render: (value, row) => <Hash value={value} what="交易哈希" explorer={row.explorer} />,
  }),
  col('createdAt', { width: 172, render: time }),
  col('agent', { width: 110, render: withTitle }),
  col('by', { width: 100, render: withTitle }),
  col('reason', { width: 160, render: withTitle }),
  col('closedAt', { width: 172, render: time }),
  col('userId', { width: 96, hidden: true }),
];
