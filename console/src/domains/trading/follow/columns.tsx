import { follow, followWays } from '@hengtai/contract/trading/follow/calls';
import { followStates, FOLLOW } from '@hengtai/contract/trading/follow/facts';
import type { FollowRow } from '@hengtai/contract/trading/follow/schema';
import { futureSides } from '@hengtai/contract/trading/future/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { agentCell, operatorCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { markedUserCell } from '../../../actions/marked-user-cell.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { CommandNote, ProfitAmount } from '../../../records/order-parts.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { followTones } from '../../../records/state-tones.ts';

export function FollowStateTag({ row: { state, command } }: { row: Pick<FollowRow, 'state' | 'command'> }) {
  return (
    <>
      <StateTag state={state} labels={followStates} tones={followTones} />
      <CommandNote doing={state === FOLLOW.ending} command={command} what="结束指令" />
    </>
  );
}

const col = listColOf<FollowRow>()(follow.list.list.columns);

export const followColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('state', { width: 92, render: (_value, row) => <FollowStateTag row={row} /> }),
  col('account', { width: 124, render: markedUserCell }),
  col('signalTitle', {
    width: 120,
    render: (value, { signalId }) => (
      <span className="ht-table-text" title={value}>
        <PageLink to={`/signal?open=${signalId}`}>{value}</PageLink>
      </span>
    ),
  }),
  col('marketName', { width: 80, under: 'signalTitle' }),
  col('side', { width: 80, under: 'signalTitle', render: (value) => <Direction side={value} labels={futureSides} /> }),
  col('amount', { width: 112, align: 'right', render: moneyCell }),
  col('profit', { width: 112, align: 'right', render: (value) => <ProfitAmount value={value} digits={8} /> }),
  col('auto', { width: 92, under: 'amount', render: (value) => followWays[value as keyof typeof followWays] ?? value }),
  col('createdAt', { width: 100, render: timeCell }),
  col('closedAt', { width: 104, drawer: true, render: timeCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 140, drawer: true, render: textCell }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('signalId', { width: 96, hidden: true }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];

export const followSums = [
  { field: 'amount', label: '跟单金额' },
  { field: 'profit', label: '已结盈亏' },
] as const;

export const stakeSum = { coin: () => SETTLEMENT, value: ({ amount }: FollowRow) => amount };
export const followPageSums = { coin: () => SETTLEMENT };
