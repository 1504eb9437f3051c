import './future.css';
import { future, futureSides } from '@hengtai/contract/trading/future/calls';
import type { FutureAccountRisk } from '@hengtai/contract/trading/future/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { Button } from 'antd';
import { useMemo } from 'react';
import { userDetail } from '../../../navigation/account-cells.tsx';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { AmountItem, DetailItem } from '../../../ui/value/DetailItem.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { ProfitAmount } from '../../../records/order-parts.tsx';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { Ratio } from './columns.tsx';

interface Props {
  /** At most one page of rows. */
  userIds: readonly number[];
  onClose: () => void;
}

const REFETCH_MS = 5_000;

/** Futures risk of users, the lowest margin ratio first. */
export function ExpectDialog({ userIds, onClose }: Props) {
  const input = useMemo(() => ({ userId: [...userIds] }), [userIds]);
  const query = useRead(future.expectInfo, input, { refetchMs: REFETCH_MS, staleTime: 0 });
  return (
    <PageModal
      title={userIds.length === 1 ? '用户合约风险' : `${userIds.length} 位用户的合约风险`}
      width={1000}
      onCancel={onClose}
      footer={<Button onClick={onClose}>关闭</Button>}
    >
      <p className="ht-future-warn">只计实盘持仓，按最新标记价计算；预估强平价会随保证金与资金费用变化。</p>
      {query.error && !query.data ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        query.data.toSorted(byRisk).map((user) => <User key={user.userId} user={user} />)
      ) : (
        <span className="ht-page-skeleton-line" />
      )}
    </PageModal>
  );
}

const riskOf = ({ marginRatio }: FutureAccountRisk): number =>
  marginRatio === null ? Number.MAX_VALUE : Number(marginRatio);
const byRisk = (a: FutureAccountRisk, b: FutureAccountRisk): number => riskOf(a) - riskOf(b);

function User({ user }: { user: FutureAccountRisk }) {
  return (
    <section className="ht-future-user">
      <h3>
        {userDetail(user.account, user.userId)}（{user.userId}）
      </h3>
      <dl className="ht-value-details ht-records-order-details">
        <AmountItem label="账户权益" value={user.equity} unit={SETTLEMENT} digits={8} shortened />
        <AmountItem label="可用" value={user.available} unit={SETTLEMENT} digits={8} shortened />
        <AmountItem label="占用保证金" value={user.margin} unit={SETTLEMENT} digits={8} shortened />
        <DetailItem label="未实现盈亏">
          <ProfitAmount value={user.unrealized} unit={SETTLEMENT} digits={8} />
        </DetailItem>
        <DetailItem label="保证金率">
          <Ratio value={user.marginRatio} />
          {user.marginRatio !== null && '%'}
        </DetailItem>
      </dl>
      <MiniTable
        label={`${user.account} 的持仓`}
        rows={user.positions}
        keyOf={({ id }) => id}
        empty="没有实盘持仓"
        columns={columns}
      />
    </section>
  );
}

const columns: readonly MiniColumn<FutureAccountRisk['positions'][number]>[] = [
  { title: '编号', cell: ({ id }) => <PageLink to={`/future/open?open=${id}`}>{id}</PageLink> },
  {
    title: '合约',
    cell: ({ marketName, side, leverage }) => (
      <>
        {marketName} <Direction side={side} labels={futureSides} /> {leverage}×
      </>
    ),
  },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '开仓价', right: true, cell: ({ openPrice }) => <Money value={openPrice} shortened /> },
  { title: '标记价', right: true, cell: ({ markPrice }) => <Money value={markPrice} shortened /> },
  { title: '预估强平价', right: true, cell: ({ expectLiquidation }) => <Money value={expectLiquidation} shortened /> },
  { title: '保证金', right: true, cell: ({ margin }) => <Money value={margin} digits={4} shortened /> },
  { title: '未实现盈亏', right: true, cell: ({ unrealized }) => <ProfitAmount value={unrealized} /> },
  { title: '保证金率(%)', right: true, cell: ({ marginRatio }) => <Ratio value={marginRatio} /> },
];
