import { command, commandTypes } from '@hengtai/contract/command';
import type { CommandRow } from '@hengtai/contract/command.schema';
import { commandStates } from '@hengtai/contract/command.facts';
import { TargetLink } from '../../navigation/TargetLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';
import { commandTones } from '../../ui/order-parts.tsx';

/** The label of a command type; the type itself if this version has no label for it. */
export const typeText = (type: string): string => (commandTypes as Readonly<Record<string, string>>)[type] ?? type;

const col = listColOf<CommandRow>()(command.list.list.columns);
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const commandColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', {
    width: 100,
    render: (value) => <StateTag state={value} labels={commandStates} tones={commandTones} />,
  }),
  col('type', { width: 120, render: (value) => withTitle(typeText(value)) }),
  col('targetType', { width: 136, render: (_value, row) => <TargetLink target={row} /> }),
  col('account', { width: 132, render: withTitle }),
  col('amount', { width: 120, align: 'right', render: (value) => <Money value={value} /> }),
  col('marketName', { width: 72, render: withTitle }),
  col('reason', { width: 170, render: withTitle }),
  col('createdAt', { width: 172, render: time }),
  col('agent', { width: 110, render: withTitle }),
  col('attempt', { width: 84, align: 'right' }),
  col('sentAt', { width: 172, render: time }),
  col('doneAt', { width: 172, render: time }),
  col('by', { width: 100, render: withTitle }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
];
