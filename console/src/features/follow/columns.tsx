import { FOLLOW, follow, followWays } from '@hengtai/contract/follow';
import { followStates } from '@hengtai/contract/follow.facts';
import type { FollowRow } from '@hengtai/contract/follow.schema';
import { futureSides } from '@hengtai/contract/future';
import { SETTLEMENT } from '@hengtai/contract/money';
import { PageLink } from '../../navigation/PageLink.tsx';
import { WaitingMark } from '../../actions/WaitingMark.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Direction } from '../../ui/Direction.tsx';
import { CommandNote, ProfitAmount } from '../../ui/order-parts.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

const tones: Readonly<Record<number, Tone>> = { 1: 'run', 2: 'idle', 3: 'warn' };

export function FollowStateTag({ row: { state, command } }: { row: Pick<FollowRow, 'state' | 'command'> }) {
  return (
    <>
      <StateTag state={state} labels={followStates} tones={tones} />
      <CommandNote doing={state === FOLLOW.ending} command={command} what="结束指令" />
    </>
  );
}

const col = listColOf<FollowRow>()(follow.list.list.columns);
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const followColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', { width: 136, render: (_value, row) => <FollowStateTag row={row} /> }),
  col('account', {
    width: 160,
    render: (value, row) => (
      <span className="sh-marked">
        {withTitle(value)}
        <WaitingMark id={row.id} />
      </span>
    ),
  }),
  col('signalTitle', {
    width: 200,
    render: (value, { signalId }) => <PageLink to={`/signal?open=${signalId}`}>{value}</PageLink>,
  }),
  col('marketName', { width: 80 }),
  col('side', { width: 80, render: (value) => <Direction side={value} labels={futureSides} /> }),
  col('amount', { width: 140, align: 'right', render: (value) => <Money value={value} /> }),
  col('profit', { width: 140, align: 'right', render: (value) => <ProfitAmount value={value} digits={8} /> }),
  col('auto', { width: 92, render: (value) => followWays[value as keyof typeof followWays] ?? value }),
  col('createdAt', { width: 172, render: time }),
  col('closedAt', { width: 172, render: time }),
  col('agent', { width: 120, render: withTitle }),
  col('by', { width: 110, render: withTitle }),
  col('reason', { width: 140, render: withTitle }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('signalId', { width: 96, hidden: true }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];

export const followSums = [
  { field: 'amount', label: '跟单金额' },
  { field: 'profit', label: '已结盈亏' },
] as const;

export const followPageSum = { coin: () => SETTLEMENT, value: ({ amount }: FollowRow) => amount };
