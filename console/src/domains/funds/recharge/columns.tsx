import { rechargeSources, recharge } from '@hengtai/contract/funds/recharge/calls';
import { rechargeStates } from '@hengtai/contract/funds/recharge/facts';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import { markedUserCell } from '../../../actions/marked-user-cell.tsx';
import { agentCell } from '../../../navigation/account-cells.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { rechargeTones } from '../../../records/state-tones.ts';

/** 同一交易已入账: links to the other recharges of the transaction. */
function SameTransaction({ ids }: { ids: readonly number[] }) {
  if (ids.length === 0) return null;
  return (
    <span className="ht-value-warn" title="同一交易已入账">
      同一交易
      {ids.map((id) => (
        <TargetLink key={id} target={{ targetType: 'recharge', targetId: id }} />
      ))}
    </span>
  );
}

const col = listColOf<RechargeRow>()(recharge.list.list.columns);

export const rechargeColumns = [
  col('id', { width: 76, fixed: 'left', locked: true }),
  col('state', { width: 92, render: stateCell(rechargeStates, rechargeTones) }),
  col('account', { width: 134, render: markedUserCell }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { width: 160, align: 'right', render: moneyCell }),
  col('confirmations', { width: 84, under: 'state', align: 'right' }),
  col('createdAt', { width: 100, render: timeCell }),
  col('network', { width: 84, under: 'txHash' }),
  col('txHash', {
    width: 166,
    render: (value, row) => <Hash value={value} label="交易哈希" explorer={row.explorer} short />,
  }),
  col('address', { width: 200, under: 'txHash', render: (value) => <Hash value={value} label="地址" short /> }),
  col('memo', { width: 120, under: 'txHash', render: textCell }),
  col('sameTransaction', {
    width: 140,
    under: 'amount',
    render: (ids) => <SameTransaction ids={ids} />,
  }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('source', { width: 72, under: 'state', render: (value) => rechargeSources[value === 2 ? 2 : 1] }),
  col('arrivedAt', { width: 104, drawer: true, render: timeCell }),
  col('creditedAt', { width: 104, drawer: true, render: timeCell }),
  col('remark', { width: 160, drawer: true, render: textCell }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('index', { width: 84, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];

export const rechargeSums = [{ field: 'amount', label: '数量' }] as const;
