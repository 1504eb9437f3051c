import './binary-contract.css';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { binaryContractSides } from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractExposure, BinaryContractRisk } from '@hengtai/contract/trading/binary-contract/schema';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { RemainingTime } from './clock.tsx';
import { QueryPlace, type QueryState } from '../../../api/QueryPlace.tsx';

interface Props {
  query: QueryState & { data: BinaryContractRisk | undefined };
  open: boolean;
  onClose: () => void;
}

/** Exposure of running contracts by market and by settlement second. Rows above their threshold are marked. */
export function RiskDrawer({ query, open, onClose }: Props) {
  const { data: risk } = query;
  return (
    <PageDrawer open={open} width={860} title="风险敞口" onClose={onClose}>
      {risk ? (
        <>
          <p className="ht-binary-contract-rule">
            最大净赔付：价格朝对用户最有利的一边变动时，须支付的盈利减去同时收到的亏损。只用于提醒，不影响任何合约的结果。
            阈值：同一秒到期 <Limit value={risk.thresholds.expiry} />
            ，单个市场 <Limit value={risk.thresholds.market} />。
          </p>
          <Section title="按市场">
            <MiniTable
              label="按市场"
              rows={risk.markets}
              keyOf={({ marketId }) => marketId}
              empty="没有进行中的秒合约"
              isMarked={({ alert }) => alert}
              columns={[market, ...sides, maxNetPayout]}
            />
          </Section>
          <Section title="按到期秒" aside={`敞口最大的 ${risk.expiries.length} 个`}>
            <MiniTable
              label="按到期秒"
              rows={risk.expiries}
              keyOf={({ marketId, settleAt }) => `${marketId} ${settleAt}`}
              empty="没有进行中的秒合约"
              isMarked={({ alert }) => alert}
              columns={[settlement, market, ...sides, maxNetPayout]}
            />
          </Section>
        </>
      ) : (
        <QueryPlace query={query}>
          <span className="ht-page-skeleton-line" />
        </QueryPlace>
      )}
    </PageDrawer>
  );
}

const Limit = ({ value }: { value: string }) =>
  value === '0' ? <b>不告警</b> : <Money value={value} unit={SETTLEMENT} />;

type Row = Omit<BinaryContractExposure, 'settleAt'>;

const market: MiniColumn<Row> = { title: '市场', cell: ({ marketName }) => marketName };
const settlement: MiniColumn<BinaryContractExposure> = {
  title: '到期',
  cell: ({ settleAt }) => (
    <span className="ht-binary-contract-end">
      <RemainingTime until={settleAt + 1_000} />
      <Time value={settleAt} clock />
    </span>
  ),
};
const sides: readonly MiniColumn<Row>[] = (['up', 'down'] as const).flatMap((side): MiniColumn<Row>[] => {
  const word = binaryContractSides[side === 'up' ? 1 : 2];
  return [
    { title: `${word}笔数`, right: true, cell: (row) => row[side].count },
    { title: `${word}下单`, right: true, cell: (row) => <Money value={row[side].amount} digits={2} shortened /> },
    { title: `${word}可盈利`, right: true, cell: (row) => <Money value={row[side].payout} digits={2} shortened /> },
  ];
});
const maxNetPayout: MiniColumn<Row> = {
  title: '最大净赔付',
  right: true,
  cell: ({ risk, alert }) => (
    <b className={alert ? 'ht-value-warn' : undefined}>
      <Money value={risk} digits={2} shortened />
    </b>
  ),
};
