import { futureSides } from '@hengtai/contract/trading/future/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { signal } from '@hengtai/contract/trading/signal/calls';
import { signalStates } from '@hengtai/contract/trading/signal/facts';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import type { ReactNode } from 'react';
import { agentDetail } from '../../../navigation/account-cells.tsx';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { ProfitAmount } from '../../../records/order-parts.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { signalTones } from './columns.tsx';

interface Props {
  id: number | undefined;
  actions: (row: SignalRow) => ReactNode;
  onClose: () => void;
}

/** One signal: its terms, and the stakes and profit of its copy trades. */
export function SignalDrawer({ id, actions, onClose }: Props) {
  const query = useRead(signal.detail, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} title={`信号 #${id ?? ''}`} onClose={onClose} query={query}>
      {(detail) => <Content row={detail} actions={actions} />}
    </DetailDrawer>
  );
}

function Content({ row, actions }: { row: SignalRow } & Pick<Props, 'actions'>) {
  return (
    <>
      <dl className="ht-value-details ht-records-order-details">
        <DetailItem wide label="标题">
          <b>{row.title}</b>
        </DetailItem>
        <DetailItem label="状态">
          <StateTag state={row.state} labels={signalStates} tones={signalTones} />
        </DetailItem>
        <DetailItem label="合约">
          {row.marketName} <Direction side={row.side} labels={futureSides} /> {row.leverage}×
        </DetailItem>
        <AmountItem label="入场价" value={row.price} unit={SETTLEMENT} />
        <AmountItem label="跟单比例" value={row.ratio} unit="%" digits={8} />
        <AmountItem label="止盈价" value={row.takeProfit} unit={SETTLEMENT} />
        <AmountItem label="止损价" value={row.stopLoss} unit={SETTLEMENT} />
        <AmountItem label="最小跟单" value={row.minAmount} unit={SETTLEMENT} />
        <AmountItem label="最大跟单" value={row.maxAmount} unit={SETTLEMENT} />
        <TimeItem label="开始" value={row.startAt} />
        <TimeItem label="结束" value={row.endAt} />
        <DetailItem label="操作人">{agentDetail(row.by)}</DetailItem>
        <TimeItem label="更新" value={row.updatedAt} />
        <DetailItem wide label="信号代码">
          <Hash full value={row.no} label="信号代码" />
        </DetailItem>
      </dl>
      <div className="ht-records-actions">{actions(row)}</div>
      <Section
        title="跟单情况"
        aside="您可见的用户"
        more={<PageLink to={`/follow?signalId=${row.id}`}>查看跟单</PageLink>}
      >
        <dl className="ht-value-details">
          <DetailItem label="跟单中">{row.openCount.toLocaleString('en-US')} 笔</DetailItem>
          <AmountItem label="金额" value={row.openAmount} unit={SETTLEMENT} />
          <DetailItem label="跟单总数">{row.followCount.toLocaleString('en-US')} 笔</DetailItem>
          <AmountItem label="累计金额" value={row.followAmount} unit={SETTLEMENT} />
          <DetailItem label="已结盈亏">
            <ProfitAmount value={row.profit} unit={SETTLEMENT} digits={18} />
          </DetailItem>
        </dl>
      </Section>
    </>
  );
}
