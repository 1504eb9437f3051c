import { follow, followWays } from '@hengtai/contract/follow';
import type { FollowDetail, FollowRow } from '@hengtai/contract/follow.schema';
import { futureSides } from '@hengtai/contract/future';
import { SETTLEMENT } from '@hengtai/contract/money';
import { signalStates, type SignalState } from '@hengtai/contract/signal';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { PageLink } from '../../shell/PageLink.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Fact, Gain, Side, commandColumns, entryColumns } from '../../ui/order-parts.tsx';
import { Reader } from '../../ui/Reader.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { FaultState } from '../../ui/list-states.tsx';
import { FollowStateTag } from './columns.tsx';
import { isAgain, whyNot } from './words.ts';

interface Props {
  id: number | undefined;
  able: boolean;
  onEnd: (row: FollowRow) => void;
  onClose: () => void;
}

/** One following: what was staked on which signal, what came of it, and what it moved in the ledger. */
export function FollowDrawer({ id, able, onEnd, onClose }: Props) {
  const enabled = id !== undefined;
  const found = useRead(follow.detail, { id: id ?? 0 }, { enabled });
  return (
    <Reader open={enabled} width={720} title={`跟单 #${id ?? ''}`} onClose={onClose}>
      {found.error && !found.data ? (
        <FaultState fault={faultOf(found.error)} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <Content detail={found.data} able={able} onEnd={onEnd} />
      ) : (
        <span className="ht-bone" />
      )}
    </Reader>
  );
}

function Content({ detail, able, onEnd }: { detail: FollowDetail } & Pick<Props, 'able' | 'onEnd'>) {
  const { row, entries, commands } = detail;
  return (
    <>
      <Facts detail={detail} />
      <div className="ht-deeds">
        <GreyedAction look="button" danger why={whyNot(row, able)} onClick={() => onEnd(row)}>
          {isAgain(row) ? '再次结束' : '结束跟单'}
        </GreyedAction>
      </div>
      {commands.length > 0 && (
        <Section title="结束指令">
          <MiniTable label="结束指令" rows={commands} keyOf={({ id }) => id} none="没有指令" columns={commandColumns} />
        </Section>
      )}
      <Section
        title="资金变动"
        aside={`${entries.length} 条`}
        more={<PageLink to={`/fund/record?userId=${row.userId}&platform=3`}>查看全部</PageLink>}
      >
        <MiniTable label="资金变动" rows={entries} keyOf={({ id }) => id} none="没有资金变动" columns={entryColumns} />
      </Section>
    </>
  );
}

function Facts({ detail: { row, signal } }: { detail: FollowDetail }) {
  return (
    <dl className="ht-facts ht-order-facts">
      <Fact label="状态">
        <FollowStateTag row={row} />
      </Fact>
      <Fact label="跟单方式">{followWays[row.auto as keyof typeof followWays] ?? row.auto}</Fact>
      <Fact label="用户">
        <PageLink to={`/user?open=${row.userId}`}>
          {row.account}（{row.userId}）
        </PageLink>
      </Fact>
      <Fact label="代理">{row.agent}</Fact>
      <Fact wide label="信号">
        <PageLink to={`/signal?open=${signal.id}`}>
          {signal.title}（{signalStates[signal.state as SignalState]}）
        </PageLink>
      </Fact>
      <Fact label="合约">
        {row.marketName} <Side side={row.side} labels={futureSides} /> {signal.leverage}×
      </Fact>
      <Fact label="入场价">
        <Money value={signal.price} unit={SETTLEMENT} digits={18} />
      </Fact>
      <Fact label="止盈价">
        <Money value={signal.takeProfit} unit={SETTLEMENT} digits={18} />
      </Fact>
      <Fact label="止损价">
        <Money value={signal.stopLoss} unit={SETTLEMENT} digits={18} />
      </Fact>
      <Fact label="本金">
        <Money value={row.amount} unit={SETTLEMENT} digits={18} />
      </Fact>
      <Fact label="盈亏">
        <Gain value={row.profit} unit={SETTLEMENT} digits={18} />
      </Fact>
      <Fact label="跟单时间">
        <Time value={row.createdAt} />
      </Fact>
      <Fact label="结束时间">
        <Time value={row.closedAt} />
      </Fact>
      {row.by !== null && (
        <>
          <Fact label="结束人">{row.by}</Fact>
          <Fact label="原因">{row.reason || '--'}</Fact>
        </>
      )}
      <Fact wide label="平台单号">
        <Hash full value={row.no} what="平台单号" />
      </Fact>
    </dl>
  );
}
