import { futureSides } from '@hengtai/contract/future';
import { signal } from '@hengtai/contract/signal';
import { signalStates } from '@hengtai/contract/signal.facts';
import type { SignalRow } from '@hengtai/contract/signal.schema';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Direction } from '../../ui/Direction.tsx';
import { ProfitAmount } from '../../ui/order-parts.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

export const signalTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'good', 2: 'idle' };

const col = listColOf<SignalRow>()(signal.list.list.columns);
const amount = { align: 'right', width: 132 } as const;
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const money = (value: string | null) => <Money value={value} />;
const time = (value: number) => <Time value={value} />;
const count = (value: number) => value.toLocaleString('en-US');

export const signalColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', {
    width: 96,
    render: (value) => <StateTag state={value} labels={signalStates} tones={signalTones} />,
  }),
  col('title', { width: 200, render: withTitle }),
  col('marketName', { width: 80 }),
  col('side', { width: 80, render: (value) => <Direction side={value} labels={futureSides} /> }),
  col('leverage', { width: 72, align: 'right', render: (value) => `${value}×` }),
  col('price', { ...amount, render: money }),
  col('takeProfit', { ...amount, render: money }),
  col('stopLoss', { ...amount, render: money }),
  col('openCount', { width: 84, align: 'right', render: count }),
  col('followCount', { width: 92, align: 'right', render: count }),
  col('followAmount', { ...amount, width: 148, render: money }),
  col('profit', { ...amount, width: 148, render: (value) => <ProfitAmount value={value} /> }),
  col('startAt', { width: 172, render: time }),
  col('endAt', { width: 172, render: time }),
  col('ratio', { width: 112, align: 'right', render: money }),
  col('minAmount', { ...amount, render: money }),
  col('maxAmount', { ...amount, render: money }),
  col('by', { width: 110, render: withTitle }),
  col('no', { width: 110, hidden: true, render: (value) => <Hash value={value} what="信号代码" /> }),
  col('createdAt', { width: 172, hidden: true, render: time }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];
