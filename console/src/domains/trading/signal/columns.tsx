import { futureSides } from '@hengtai/contract/trading/future/calls';
import { signal } from '@hengtai/contract/trading/signal/calls';
import { SIGNAL, signalStates } from '@hengtai/contract/trading/signal/facts';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { agentCell } from '../../../navigation/account-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { ProfitAmount } from '../../../records/order-parts.tsx';
import type { Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';

export const signalTones: Readonly<Record<number, Tone>> = { [SIGNAL.draft]: 'wait', [SIGNAL.running]: 'good' };

const col = listColOf<SignalRow>()(signal.list.list.columns);
const amountOptions = { align: 'right', width: 132 } as const;
const count = (value: number) => value.toLocaleString('en-US');

export const signalColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('state', { width: 84, render: stateCell(signalStates, signalTones) }),
  col('title', { width: 157, render: textCell }),
  col('marketName', { width: 80, under: 'title' }),
  col('side', { width: 80, under: 'title', render: (value) => <Direction side={value} labels={futureSides} /> }),
  col('leverage', { width: 72, under: 'title', align: 'right', render: (value) => `${value}×` }),
  col('price', { ...amountOptions, render: moneyCell, width: 108 }),
  col('takeProfit', { ...amountOptions, render: moneyCell, width: 132, drawer: true }),
  col('stopLoss', { ...amountOptions, render: moneyCell, width: 132, drawer: true }),
  col('openCount', { width: 84, under: 'followAmount', align: 'right', render: count }),
  col('followCount', { width: 92, under: 'followAmount', align: 'right', render: count }),
  col('followAmount', { ...amountOptions, width: 121, render: moneyCell }),
  col('profit', { ...amountOptions, width: 104, render: (value) => <ProfitAmount value={value} /> }),
  col('startAt', { width: 100, render: timeCell }),
  col('endAt', { width: 104, under: 'startAt', render: timeCell }),
  col('ratio', { width: 112, drawer: true, align: 'right', render: moneyCell }),
  col('minAmount', { ...amountOptions, render: moneyCell, width: 132, drawer: true }),
  col('maxAmount', { ...amountOptions, render: moneyCell, width: 132, drawer: true }),
  col('by', { width: 130, drawer: true, render: agentCell }),
  col('no', { width: 110, hidden: true, render: (value) => <Hash value={value} label="信号代码" /> }),
  col('createdAt', { width: 104, hidden: true, render: timeCell }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];
