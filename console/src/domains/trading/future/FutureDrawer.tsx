import './future.css';
import { future, futureSides } from '@hengtai/contract/trading/future/calls';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import type {
  FutureCloseRow,
  FutureDetail,
  FutureFunding,
  FutureOpening,
  FutureRow,
} from '@hengtai/contract/trading/future/schema';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { type OrderType, orderTypes } from '@hengtai/contract/trading/spot/facts';
import { agentDetail } from '../../../navigation/account-cells.tsx';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { CommandsPart, EntriesPart, OrderItems, UserItem } from '../../../lists/request-parts.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { ProfitAmount, commandColumns, timeColumn } from '../../../records/order-parts.tsx';
import { Section, latestText } from '../../../ui/page/Section.tsx';
import { CloseTypeTag, DemoMark, FutureStateTag, Ratio } from './columns.tsx';
import type { FutureActions } from './use-actions.tsx';
import { coinOf, canRetry, disabledReasonOf } from './words.ts';

interface Props {
  id: number | undefined;
  actions: FutureActions;
  onClose: () => void;
}

const REFETCH_MS = 5_000;
const isAlive = (state: number): boolean =>
  [FUTURE.pending, FUTURE.open, FUTURE.cancelling, FUTURE.closing].some((one) => one === state);

/** One futures order: its terms and state, its closes, funding fees, commands and ledger entries. */
export function FutureDrawer({ id, actions, onClose }: Props) {
  const query = useRead(future.detail, id === undefined ? undefined : { id }, { refetchMs: REFETCH_MS });
  return (
    <DetailDrawer open={id !== undefined} width={780} title={`合约订单 #${id ?? ''}`} onClose={onClose} query={query}>
      {(detail) => <Content detail={detail} actions={actions} />}
    </DetailDrawer>
  );
}

function Content({ detail, actions }: { detail: FutureDetail; actions: FutureActions }) {
  const { row, openings = [], closes, fundings, entries, commands } = detail;
  return (
    <>
      <Details row={row} />
      <div className="ht-records-actions">
        <CancelOrClose row={row} actions={actions} />
        <GreyedAction look="button" onClick={() => actions.expect([row.userId])}>
          用户风险
        </GreyedAction>
      </div>
      {openings.length > 0 && (
        <Section title="开仓明细" aside={latestText(openings.length, '笔')}>
          <MiniTable
            label="开仓明细"
            rows={openings}
            keyOf={({ id }) => id}
            empty="没有开仓"
            columns={openingColumns(row)}
          />
        </Section>
      )}
      <Section title="平仓记录" aside={latestText(closes.length, '笔')}>
        <MiniTable label="平仓记录" rows={closes} keyOf={({ id }) => id} empty="没有平仓" columns={closeColumns(row)} />
      </Section>
      {fundings.length > 0 && (
        <Section title="资金费用" aside={latestText(fundings.length, '笔')}>
          <MiniTable
            label="资金费用"
            rows={fundings}
            keyOf={({ id }) => id}
            empty="没有资金费用"
            columns={fundingColumns}
          />
        </Section>
      )}
      <CommandsPart title="撤单与平仓指令" rows={commands} columns={orderCommandColumns} />
      {row.demo === 0 ? (
        <EntriesPart rows={entries} userId={row.userId} platform={PLATFORM.future} />
      ) : (
        <p className="ht-value-faint">模拟持仓不涉及资金，没有资金变动。</p>
      )}
    </>
  );
}

function CancelOrClose({ row, actions }: { row: FutureRow; actions: FutureActions }) {
  const isPending = row.state === FUTURE.pending || row.state === FUTURE.cancelling;
  const action = isPending ? 'cancel' : 'close';
  const word = isPending ? '撤单' : '平仓';
  return (
    <GreyedAction
      look="button"
      danger
      disabledReason={disabledReasonOf(action, row, actions.hasAbility)}
      onClick={() => actions.ask(action, row)}
    >
      {canRetry(action, row) ? `再次${word}` : word}
    </GreyedAction>
  );
}

function Details({ row }: { row: FutureRow }) {
  const unit = coinOf(row);
  const [isLive, isOpened] = [isAlive(row.state), row.openPrice !== null];
  return (
    <dl className="ht-value-details ht-records-order-details">
      <DetailItem label="状态">
        <FutureStateTag row={row} />
      </DetailItem>
      <DetailItem label="账户">
        <DemoMark demo={row.demo} />
      </DetailItem>
      <DetailItem label="合约">
        {row.marketName} <Direction side={row.side} labels={futureSides} /> {row.leverage}× ·{' '}
        {orderTypes[row.type as OrderType] ?? row.type}
      </DetailItem>
      <UserItem userId={row.userId} account={row.account} />
      <AmountItem label="数量" value={row.amount} unit={row.marketName} />
      <AmountItem
        label={isLive ? '未平数量' : '已平数量'}
        value={isLive ? row.left : row.closeAmount}
        unit={row.marketName}
      />
      {row.unopened !== undefined && row.unopened !== '0' && (
        <>
          <AmountItem label="待成交数量" value={row.unopened} unit={row.marketName} />
          <AmountItem label="待成交保证金" value={row.pendingMargin ?? null} unit={unit} />
        </>
      )}
      <AmountItem label="委托价" value={row.price} unit={SETTLEMENT} />
      <AmountItem label="开仓价" value={row.openPrice} unit={SETTLEMENT} />
      <AmountItem label={isLive ? '占用保证金' : '投入保证金'} value={isLive ? row.held : row.margin} unit={unit} />
      {isLive ? (
        <AmountItem label="标记价" value={row.markPrice} unit={SETTLEMENT} />
      ) : (
        <AmountItem label="平仓均价" value={row.closePrice} unit={SETTLEMENT} />
      )}
      {isLive && isOpened && (
        <>
          <DetailItem label="未实现盈亏">
            <ProfitAmount value={row.unrealized} unit={unit} digits={18} />
          </DetailItem>
          <DetailItem label="回报率">
            <ProfitAmount value={row.roe} unit="%" digits={2} />
          </DetailItem>
          <AmountItem label="强平价" value={row.liquidationPrice} unit={SETTLEMENT} />
          <DetailItem label="保证金率">
            <Ratio value={row.marginRatio} />%
          </DetailItem>
        </>
      )}
      <DetailItem label="已实现盈亏">
        <ProfitAmount value={row.realized} unit={unit} digits={18} />
      </DetailItem>
      <AmountItem label="手续费" value={row.fee} unit={unit} />
      <DetailItem label="资金费用">
        <ProfitAmount value={row.funding} unit={unit} digits={18} />
      </DetailItem>
      <AmountItem label="准备金承担" value={row.insured} unit={unit} />
      <AmountItem label="止盈价" value={row.takeProfit} unit={SETTLEMENT} />
      <AmountItem label="止损价" value={row.stopLoss} unit={SETTLEMENT} />
      {row.closing !== null && <AmountItem label="平仓中数量" value={row.closing} unit={row.marketName} />}
      <TimeItem label="委托时间" value={row.createdAt} />
      <TimeItem label="开仓时间" value={row.openedAt} />
      {!isLive && <TimeItem label="结束时间" value={row.endedAt} />}
      <DetailItem label="代理">{agentDetail(row.agent)}</DetailItem>
      <OrderItems who="操作人" by={row.by} reason={row.reason} no={row.no} />
    </dl>
  );
}

const openingColumns = (row: FutureRow): readonly MiniColumn<FutureOpening>[] => [
  timeColumn,
  { title: `数量(${row.marketName})`, right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '价格(USDT)', right: true, cell: ({ price }) => <Money value={price} /> },
  { title: '保证金(USDT)', right: true, cell: ({ margin }) => <Money value={margin} digits={8} shortened /> },
  { title: '手续费(USDT)', right: true, cell: ({ fee }) => <Money value={fee} /> },
  { title: '成交编号', cell: ({ tradeNo }) => (tradeNo === null ? '--' : <Hash value={tradeNo} label="成交编号" />) },
];

const closeColumns = (row: FutureRow): readonly MiniColumn<FutureCloseRow>[] => [
  timeColumn,
  { title: '方式', cell: ({ closeType }) => <CloseTypeTag type={closeType} /> },
  {
    title: `数量(${row.marketName})`,
    right: true,
    cell: ({ closeAmount }) => <Money value={closeAmount} />,
  },
  { title: '平仓价(USDT)', right: true, cell: ({ closePrice }) => <Money value={closePrice} /> },
  { title: '盈亏(USDT)', right: true, cell: ({ realized }) => <ProfitAmount value={realized} digits={8} /> },
  { title: '手续费(USDT)', right: true, cell: ({ fee }) => <Money value={fee} /> },
  { title: '释放保证金(USDT)', right: true, cell: ({ released }) => <Money value={released} digits={8} shortened /> },
  { title: '平仓单号', cell: ({ closeNo }) => <Hash value={closeNo} label="平仓单号" /> },
];

const fundingColumns: readonly MiniColumn<FutureFunding>[] = [
  timeColumn,
  { title: '资金费用(USDT)', right: true, cell: ({ amount }) => <ProfitAmount value={amount} digits={18} /> },
  { title: '保证金承担', right: true, cell: ({ fromMargin }) => <Money value={fromMargin} /> },
  { title: '准备金承担', right: true, cell: ({ insured }) => <Money value={insured} /> },
  { title: '编号', cell: ({ no }) => <Hash value={no} label="编号" /> },
];

const commandWords: Readonly<Record<string, string>> = { 'position.cancel': '撤单', 'position.close': '平仓' };

const orderCommandColumns: readonly MiniColumn<FutureDetail['commands'][number]>[] = [
  { title: '指令', cell: ({ type }) => commandWords[type] ?? type },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  ...commandColumns,
];
