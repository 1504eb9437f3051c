import { follow, followWays } from '@hengtai/contract/trading/follow/calls';
import type { FollowDetail, FollowRow } from '@hengtai/contract/trading/follow/schema';
import { futureSides } from '@hengtai/contract/trading/future/calls';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { type SignalState } from '@hengtai/contract/trading/signal/calls';
import { signalStates } from '@hengtai/contract/trading/signal/facts';
import { agentDetail } from '../../../navigation/account-cells.tsx';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { CommandsPart, EntriesPart, OrderItems, UserItem } from '../../../lists/request-parts.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { ProfitAmount, commandColumns } from '../../../records/order-parts.tsx';
import { FollowStateTag } from './columns.tsx';
import { canRetry, disabledReasonOf } from './words.ts';

interface Props {
  id: number | undefined;
  hasAbility: boolean;
  onEnd: (row: FollowRow) => void;
  onClose: () => void;
}

/** One copy trade: its signal, stake and profit, its commands and its ledger entries. */
export function FollowDrawer({ id, hasAbility, onEnd, onClose }: Props) {
  const query = useRead(follow.detail, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={720} title={`跟单 #${id ?? ''}`} onClose={onClose} query={query}>
      {(detail) => <Content detail={detail} hasAbility={hasAbility} onEnd={onEnd} />}
    </DetailDrawer>
  );
}

function Content({ detail, hasAbility, onEnd }: { detail: FollowDetail } & Pick<Props, 'hasAbility' | 'onEnd'>) {
  const { row, entries, commands } = detail;
  return (
    <>
      <Details detail={detail} />
      <div className="ht-records-actions">
        <GreyedAction
          look="button"
          danger
          disabledReason={disabledReasonOf(row, hasAbility)}
          onClick={() => onEnd(row)}
        >
          {canRetry(row) ? '再次结束' : '结束跟单'}
        </GreyedAction>
      </div>
      <CommandsPart title="结束指令" rows={commands} columns={commandColumns} />
      <EntriesPart rows={entries} userId={row.userId} platform={PLATFORM.future} />
    </>
  );
}

function Details({ detail: { row, signal } }: { detail: FollowDetail }) {
  return (
    <dl className="ht-value-details ht-records-order-details">
      <DetailItem label="状态">
        <FollowStateTag row={row} />
      </DetailItem>
      <DetailItem label="跟单方式">{followWays[row.auto as keyof typeof followWays] ?? row.auto}</DetailItem>
      <UserItem userId={row.userId} account={row.account} />
      <DetailItem label="代理">{agentDetail(row.agent)}</DetailItem>
      <DetailItem wide label="信号">
        <PageLink to={`/signal?open=${signal.id}`}>
          {signal.title}（{signalStates[signal.state as SignalState]}）
        </PageLink>
      </DetailItem>
      <DetailItem label="合约">
        {row.marketName} <Direction side={row.side} labels={futureSides} /> {signal.leverage}×
      </DetailItem>
      <AmountItem label="入场价" value={signal.price} unit={SETTLEMENT} />
      <AmountItem label="止盈价" value={signal.takeProfit} unit={SETTLEMENT} />
      <AmountItem label="止损价" value={signal.stopLoss} unit={SETTLEMENT} />
      <AmountItem label="本金" value={row.amount} unit={SETTLEMENT} />
      <DetailItem label="盈亏">
        <ProfitAmount value={row.profit} unit={SETTLEMENT} digits={18} />
      </DetailItem>
      <TimeItem label="跟单时间" value={row.createdAt} />
      <TimeItem label="结束时间" value={row.closedAt} />
      <OrderItems who="结束人" by={row.by} reason={row.reason} no={row.no} />
    </dl>
  );
}
