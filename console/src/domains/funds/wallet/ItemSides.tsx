import './wallet-item.css';
import { rechargeStates } from '@hengtai/contract/funds/recharge/facts';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { attemptText } from '@hengtai/contract/funds/withdraw/calls';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { ReactNode } from 'react';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { rechargeTones, withdrawTones } from '../../../records/state-tones.ts';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { moveKinds } from './item-words.ts';

type Move = NonNullable<WalletItem['move']>;
type Side = Move | RecordSide;
type RecordSide = NonNullable<WalletItem['record']>;

interface Line {
  label: string;
  /** The difference that concerns it. */
  field?: string;
  cell: (side: Side, explorer: string) => ReactNode;
}

const stateOf = ({ type, state }: RecordSide) =>
  type === 'withdraw' ? (
    <StateTag state={state} labels={withdrawStates} tones={withdrawTones} />
  ) : (
    <StateTag state={state} labels={rechargeStates} tones={rechargeTones} />
  );

const isRecord = (side: Side): side is RecordSide => 'type' in side;

const lines: readonly Line[] = [
  {
    label: '单号',
    cell: (side) => (
      <>
        {isRecord(side) && (
          <div>
            <TargetLink target={{ targetType: side.type, targetId: side.id }} />
          </div>
        )}
        <Hash value={side.no} label="单号" short />
      </>
    ),
  },
  { label: '种类', cell: (side) => (isRecord(side) ? stateOf(side) : (moveKinds[side.kind] ?? side.kind)) },
  { label: '数量', field: 'amount', cell: ({ amount }) => <Money value={amount} showPlus /> },
  { label: '币种', field: 'market', cell: ({ marketName }) => marketName },
  { label: '网络', field: 'network', cell: ({ network }) => network },
  { label: '对方地址', field: 'account', cell: ({ address }) => <Hash value={address} label="地址" full /> },
  { label: '标签', field: 'memo', cell: ({ memo }) => memo || '--' },
  {
    label: '交易哈希',
    field: 'txHash',
    cell: ({ txHash }, explorer) => <Hash value={txHash} label="交易哈希" explorer={explorer} short />,
  },
  { label: '序号', field: 'index', cell: ({ index }) => index ?? '--' },
  { label: '第几次', field: 'attempt', cell: ({ attempt }) => (attempt === null ? '--' : attemptText(attempt)) },
  { label: '时间', cell: ({ at }) => <Time value={at} /> },
  { label: '钱包或用户', cell: (side) => (isRecord(side) ? side.account : side.walletName || side.wallet) },
  { label: '手续费', cell: (side) => (isRecord(side) ? '--' : <Fee move={side} />) },
];

const Fee = ({ move: { fee, feeMarket } }: { move: Move }) =>
  fee === null ? '--' : <Money value={fee} unit={feeMarket ?? ''} />;

interface Row {
  line: Line;
  item: WalletItem;
}

const isDifferent = ({ line: { field }, item }: Row): boolean => field !== undefined && item.differs.includes(field);

function cellOf(side: Side | null, { line: { label, cell }, item }: Row, none: string): ReactNode {
  if (side) return cell(side, item.explorer);
  return <span className="ht-value-faint">{label === '单号' ? none : '--'}</span>;
}

const columns: readonly MiniColumn<Row>[] = [
  {
    title: '项目',
    nowrap: true,
    cell: (row) => (
      <>
        {row.line.label}
        {isDifferent(row) && <strong className="ht-wallet-item-differs">不同</strong>}
      </>
    ),
  },
  { title: '链上流水', cell: (row) => cellOf(row.item.move, row, '没有链上流水') },
  { title: '业务记录', cell: (row) => cellOf(row.item.record, row, '没有业务记录') },
];

/** What differs between the move and the record. */
export const differentLabels = (item: WalletItem): string[] =>
  lines.filter((line) => isDifferent({ line, item })).map(({ label }) => label);

/** The move and the record field by field; what differs is marked. */
export const ItemSides = ({ item }: { item: WalletItem }) => (
  <MiniTable
    label="链上与记录"
    rows={lines.map((line) => ({ line, item }))}
    keyOf={({ line }) => line.label}
    empty="没有内容"
    isMarked={isDifferent}
    columns={columns}
  />
);
