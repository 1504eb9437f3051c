import { PLATFORM } from '@hengtai/contract/values/money';
import { otherFeesText, spot, spotSides } from '@hengtai/contract/trading/spot/calls';
import { type OrderType, orderTypes } from '@hengtai/contract/trading/spot/facts';
import type { SpotDetail, SpotFill, SpotRow } from '@hengtai/contract/trading/spot/schema';
import { agentDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { CommandsPart, EntriesPart, OrderItems, UserItem } from '../../../lists/request-parts.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { commandColumns, timeColumn } from '../../../records/order-parts.tsx';
import { Section, latestText } from '../../../ui/page/Section.tsx';
import { SpotStateTag } from './columns.tsx';
import { fillsPath } from './fill-columns.tsx';
import { coinOf, frozenCoin, canRetry, quoteOf, disabledReasonOf } from './words.ts';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';

interface Props {
  id: number | undefined;
  hasAbility: boolean;
  onCancel: (row: SpotRow) => void;
  onClose: () => void;
}

/** One order: its terms, fills, cancel commands and ledger entries. */
export function SpotDrawer({ id, hasAbility, onCancel, onClose }: Props) {
  const query = useRead(spot.detail, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={760} title={`现货委托 #${id ?? ''}`} onClose={onClose} query={query}>
      {(detail) => <Content detail={detail} hasAbility={hasAbility} onCancel={onCancel} />}
    </DetailDrawer>
  );
}

function Content({ detail, hasAbility, onCancel }: { detail: SpotDetail } & Pick<Props, 'hasAbility' | 'onCancel'>) {
  const { row, fills, entries, commands } = detail;
  return (
    <>
      <Details row={row} />
      <div className="ht-records-actions">
        <GreyedAction
          look="button"
          danger
          disabledReason={disabledReasonOf(row, hasAbility)}
          onClick={() => onCancel(row)}
        >
          {canRetry(row) ? '再次撤单' : '撤单'}
        </GreyedAction>
      </div>
      <Section
        title="成交明细"
        aside={latestText(fills.length, '笔')}
        more={fills.length > 0 ? <PageLink to={fillsPath(row.id)}>全部成交</PageLink> : undefined}
      >
        <MiniTable label="成交明细" rows={fills} keyOf={({ id }) => id} empty="没有成交" columns={fillColumns(row)} />
      </Section>
      <CommandsPart title="撤单指令" rows={commands} columns={commandColumns} />
      <EntriesPart rows={entries} userId={row.userId} platform={PLATFORM.spot} />
    </>
  );
}

function Details({ row }: { row: SpotRow }) {
  const [coin, quote] = [coinOf(row), quoteOf(row)];
  return (
    <dl className="ht-value-details ht-records-order-details">
      <DetailItem label="状态">
        <SpotStateTag row={row} />
      </DetailItem>
      <DetailItem label="委托">
        {row.marketName} <Direction side={row.side} labels={spotSides} /> ·{' '}
        {orderTypes[row.type as OrderType] ?? row.type}
      </DetailItem>
      <UserItem userId={row.userId} account={row.account} />
      <DetailItem label="代理">{agentDetail(row.agent)}</DetailItem>
      <AmountItem label="委托价" value={row.price} unit={quote} />
      {row.amount === null ? (
        <AmountItem label="委托金额" value={row.funds} unit={quote} />
      ) : (
        <AmountItem label="委托数量" value={row.amount} unit={coin} />
      )}
      <AmountItem label="已成交" value={row.filled} unit={coin} />
      <AmountItem label="成交均价" value={row.avgPrice} unit={quote} digits={8} shortened />
      <AmountItem label="成交额" value={row.turnover} unit={quote} />
      <AmountItem label="手续费" value={row.fee} unit={row.feeMarket} />
      {row.otherFees && <DetailItem label="其他币种手续费">{otherFeesText(row)}</DetailItem>}
      <AmountItem label="冻结" value={row.frozen} unit={frozenCoin(row)} />
      <TimeItem label="委托时间" value={row.createdAt} />
      <OrderItems who="撤单人" by={row.by} reason={row.reason} no={row.no} />
    </dl>
  );
}

const fillColumns = (row: SpotRow): readonly MiniColumn<SpotFill>[] => [
  timeColumn,
  { title: `价格(${quoteOf(row)})`, right: true, cell: ({ price }) => <Money value={price} /> },
  { title: `数量(${coinOf(row)})`, right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: `成交额(${quoteOf(row)})`, right: true, cell: ({ turnover }) => <Money value={turnover} /> },
  {
    title: '手续费',
    right: true,
    cell: ({ fee, feeMarket }) => <Money value={fee} unit={feeMarket} />,
  },
  { title: '成交编号', cell: ({ tradeNo }) => <Hash value={tradeNo} label="成交编号" /> },
];
