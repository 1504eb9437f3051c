import { command } from '@hengtai/contract/house/command/calls';
import { commandTypes, commandStates } from '@hengtai/contract/house/command/facts';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { agentCell, operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { commandTones } from '../../../records/order-parts.tsx';

/** The label of a command type; the type itself if this version has no label for it. */
export const typeText = (type: string): string => (commandTypes as Readonly<Record<string, string>>)[type] ?? type;

const col = listColOf<CommandRow>()(command.list.list.columns);

export const commandColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('state', { width: 120, render: stateCell(commandStates, commandTones) }),
  col('type', { width: 110, render: (value) => textCell(typeText(value)) }),
  col('targetType', { width: 136, under: 'type', render: (_value, row) => <TargetLink target={row} /> }),
  col('account', { width: 136, render: userCell }),
  col('amount', { width: 150, align: 'right', render: moneyCell }),
  col('marketName', { width: 72, unitOf: 'amount', render: textCell }),
  col('reason', { width: 170, under: 'state', render: textCell }),
  col('createdAt', { width: 100, render: timeCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('attempt', { width: 84, drawer: true, align: 'right' }),
  col('sentAt', { width: 104, drawer: true, render: timeCell }),
  col('doneAt', { width: 104, drawer: true, render: timeCell }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
];
