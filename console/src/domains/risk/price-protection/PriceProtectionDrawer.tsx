import { marketTypes } from '@hengtai/contract/trading/market/type';
import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import { priceProtectionStates, PRICE_PROTECTION } from '@hengtai/contract/risk/price-protection/facts';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { type ReactNode, useMemo } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { MarketCandles } from '../../trading/market/exported/MarketCandles.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { Halts } from './Halts.tsx';
import { Remaining } from './Remaining.tsx';
import { bandLines } from './bands.ts';
import { priceProtectionTones } from './columns.tsx';
import { type PriceProtectionView, keyOf, marketIdOf } from './price-protection-row.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

interface Props {
  id: number;
  /** The row from the list; undefined if the loaded page does not contain it. */
  listRow: PriceProtectionView | undefined;
  actions: (row: PriceProtectionView) => ReactNode;
  onClose: () => void;
}

const ALL_ROWS = { size: 200 };

/** One price protection: its band in the candle chart, its state and its actions. */
export function PriceProtectionDrawer({ id, listRow, actions, onClose }: Props) {
  const query = useRead(priceProtection.list, ALL_ROWS, {
    enabled: listRow === undefined,
    refetchMs: listRow === undefined && 5_000,
  });
  const row = listRow ?? query.data?.list.map((one) => ({ ...one, id: keyOf(one) })).find((one) => one.id === id);
  return (
    <PageDrawer
      open
      width={760}
      title={`风控计划${row ? ` · ${row.marketName} ${marketTypes[row.marketType]}` : ''}`}
      footer={row && actions(row)}
      onClose={onClose}
    >
      {row ? (
        <Body row={row} />
      ) : query.data ? (
        <p className="ht-value-faint">风控计划不存在，或未授权给您</p>
      ) : (
        <QueryPlace query={query}>
          <span className="ht-page-skeleton-line" />
        </QueryPlace>
      )}
    </PageDrawer>
  );
}

function Body({ row }: { row: PriceProtectionView }) {
  const { minPrice, maxPrice, planPrice } = row;
  const lines = useMemo(() => bandLines({ minPrice, maxPrice, planPrice }), [minPrice, maxPrice, planPrice]);
  const amount = (value: string | null) => <Money value={value} unit={SETTLEMENT} />;
  const isHalted = row.planState === PRICE_PROTECTION.halted;
  const details: readonly (readonly [string, ReactNode])[] = [
    ['最新价', amount(row.price)],
    ['上限', amount(row.maxPrice)],
    ['参考价', amount(row.planPrice)],
    ['下限', amount(row.minPrice)],
    ['触发后暂停', `${row.planMinute} 分钟`],
    ['最近触发', <Time key="at" value={row.triggeredAt} />],
    ['触发价', amount(row.triggerPrice)],
    ['手动暂停人', operatorDetail(row.haltedBy)],
    ['最后修改', operatorDetail(row.updatedBy)],
  ];
  return (
    <>
      <div className="ht-price-protection-hero" data-halted={isHalted}>
        <StateTag state={row.planState} labels={priceProtectionStates} tones={priceProtectionTones} />
        {isHalted ? (
          <span>
            {marketTypes[row.marketType]}交易已暂停，恢复时间 <Remaining until={row.resumeAt} />
          </span>
        ) : (
          <span className="ht-value-faint">
            {row.watched === 1 ? '成交价离开区间时自动暂停交易' : '未监控：价格离开区间不会暂停交易'}
          </span>
        )}
      </div>
      <div className="ht-price-protection-chart">
        <MarketCandles id={marketIdOf(row)} marketName={row.marketName} lines={lines} />
      </div>
      <Section title="价格保护">
        <dl className="ht-value-details ht-price-protection-facts">
          {details.map(([label, value]) => (
            <DetailItem key={label} label={label}>
              {value}
            </DetailItem>
          ))}
        </dl>
        <p className="ht-value-faint">参考价只显示在区间旁边，不会作为行情发布；行情只来自交易平台推送的成交。</p>
      </Section>
      <Halts row={row} />
    </>
  );
}
