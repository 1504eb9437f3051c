import './binary-contract.css';
import { commandStates } from '@hengtai/contract/house/command/facts';
import { type Bucket, type EntryType, SETTLEMENT, bucketLabels, entryLabels } from '@hengtai/contract/values/money';
import { binaryContractStates } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractDetail, BinaryContractTick } from '@hengtai/contract/trading/binary-contract/schema';
import { use } from 'react';
import { OpenRequest } from '../../../actions/OpenRequest.tsx';
import { agentDetail, operatorDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { CommandsPart, UserItem } from '../../../lists/request-parts.tsx';
import { AmountItem, DetailItem } from '../../../ui/value/DetailItem.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { CaseRequestContext } from '../../../records/CaseLayout.tsx';
import { commandTones, timeColumn } from '../../../records/order-parts.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { binaryContractTones } from '../../../records/state-tones.ts';
import { Profit, Result, Side } from './columns.tsx';

/** Terms and outcome. */
export function Details({ detail: { row, terms, approval } }: { detail: BinaryContractDetail }) {
  // A request shows its user as well.
  const isRequest = use(CaseRequestContext) !== undefined;
  return (
    <dl className="ht-value-details ht-binary-contract-facts">
      <DetailItem label="状态">
        <StateTag state={row.state} labels={binaryContractStates} tones={binaryContractTones} />
      </DetailItem>
      <DetailItem label="合约">
        {row.marketName} <Side side={row.side} /> · {row.seconds} 秒
      </DetailItem>
      <AmountItem label="下单" value={row.amount} unit={SETTLEMENT} />
      <DetailItem label="结果">
        <Result row={row} />
      </DetailItem>
      <DetailItem label="用户盈亏">
        <Profit value={row.profit} unit={SETTLEMENT} />
      </DetailItem>
      <AmountItem label="可盈利" value={row.payout} unit={SETTLEMENT} />
      {!isRequest && (
        <>
          <UserItem userId={row.userId} account={row.account} />
          <DetailItem label="代理">{agentDetail(row.agent)}</DetailItem>
        </>
      )}
      <DetailItem label="收益率">
        <Money value={row.payoutRate} />
        %（{row.tier === 1 ? '专属' : '标准'}）
      </DetailItem>
      <DetailItem label="下单时间">
        <Time value={row.openAt} ms />
      </DetailItem>
      <DetailItem label="到期时间">
        <Time value={row.settleAt} ms />
      </DetailItem>
      <DetailItem label="入账时间">
        <Time value={terms.recordedAt} ms />
      </DetailItem>
      {(row.by !== null || row.reason !== '') && (
        <DetailItem label="作废" wide>
          {row.by === null ? '系统' : operatorDetail(row.by)}
          {row.secondBy && <>，复核 {operatorDetail(row.secondBy)}</>}，原因：{row.reason || '--'}
        </DetailItem>
      )}
      <OpenRequest approval={approval} wide />
      <DetailItem label="平台单号" wide>
        <Hash full value={row.no} label="平台单号" />
      </DetailItem>
    </dl>
  );
}

interface TickLine extends BinaryContractTick {
  what: string;
  /** True for the opening and closing ticks, which decide the outcome. */
  isDeciding: boolean;
  /** Milliseconds between the open or settle time and the tick; negative before it. */
  offsetMs: number;
}

/** What decides the outcome, and what was posted and sent. */
export const Evidence = ({ detail }: { detail: BinaryContractDetail }) => (
  <>
    <Ticks detail={detail} />
    <Section
      title="资金变动"
      more={<PageLink to={`/fund/record?userId=${detail.row.userId}&platform=4`}>查看全部</PageLink>}
    >
      <MiniTable
        label="资金变动"
        rows={detail.entries}
        keyOf={({ id }) => id}
        empty="没有资金变动"
        columns={entryColumns}
      />
    </Section>
    <CommandsPart title="平台通知" rows={detail.commands} columns={commandColumns} />
  </>
);

/** The two deciding ticks, each with the last tick before its time. */
function Ticks({ detail: { row, terms, ticks } }: { detail: BinaryContractDetail }) {
  const lines = [
    tickLine('开仓前一笔', false, ticks.beforeOpen, row.openAt),
    tickLine('开仓价', true, ticks.open, row.openAt),
    tickLine('到期前一笔', false, ticks.beforeClose, row.settleAt),
    tickLine('结算价', true, ticks.close, row.settleAt),
  ].flatMap((one) => one ?? []);
  return (
    <Section
      title="结算依据"
      aside={`规则 ${terms.rule} · 容许 ${terms.toleranceMs / 1000} 秒`}
      more={
        <PageLink to={`/second/config?open=${terms.configId}`}>
          设置 #{terms.configId} 第 {terms.configVersion} 版
        </PageLink>
      }
    >
      <p className="ht-binary-contract-rule">{terms.ruleText}</p>
      <MiniTable
        label="结算依据"
        rows={lines}
        keyOf={({ what }) => what}
        empty="还没有行情"
        isMarked={({ isDeciding }) => isDeciding}
        columns={tickColumns}
      />
    </Section>
  );
}

const tickLine = (
  what: string,
  isDeciding: boolean,
  tick: BinaryContractTick | null,
  from: number,
): TickLine | undefined => (tick ? { ...tick, what, isDeciding, offsetMs: tick.at - from } : undefined);

const tickColumns: readonly MiniColumn<TickLine>[] = [
  {
    title: '行情',
    cell: ({ what, isDeciding }) => (
      <span className={isDeciding ? 'ht-binary-contract-mark' : 'ht-value-faint'}>{what}</span>
    ),
  },
  { title: '编号', cell: ({ id }) => id },
  { title: '价格(USDT)', right: true, cell: ({ price }) => <Money value={price} /> },
  { title: '行情时间', cell: ({ at }) => <Time value={at} ms /> },
  {
    title: '距时点',
    right: true,
    cell: ({ offsetMs }) => `${offsetMs < 0 ? '−' : '+'}${Math.abs(offsetMs) / 1000} 秒`,
  },
  { title: '入库时间', cell: ({ recordedAt }) => <Time value={recordedAt} ms /> },
];

const entryColumns: readonly MiniColumn<BinaryContractDetail['entries'][number]>[] = [
  timeColumn,
  { title: '类型', cell: ({ type }) => entryLabels[type as EntryType] ?? type },
  { title: '类别', cell: ({ bucket }) => bucketLabels[bucket as Bucket] ?? bucket },
  { title: '变动(USDT)', right: true, cell: ({ amount }) => <Money value={amount} showPlus /> },
  { title: '变动后(USDT)', right: true, cell: ({ balance }) => <Money value={balance} /> },
];

const commandColumns: readonly MiniColumn<BinaryContractDetail['commands'][number]>[] = [
  { title: '编号', cell: ({ id }) => id },
  { title: '通知', cell: ({ type }) => (type === 'second.settled' ? '结算' : '作废') },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={commandStates} tones={commandTones} /> },
  { title: '发出', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: '确认', cell: ({ doneAt }) => <Time value={doneAt} /> },
];
