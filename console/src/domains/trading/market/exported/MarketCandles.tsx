import './market-candles.css';
import { candleLabels, market } from '@hengtai/contract/trading/market/calls';
import type { CandleLength } from '@hengtai/contract/wire/input-values';
import type { Candle } from '@hengtai/contract/trading/market/schema';
import { useMemo, useState } from 'react';
import { toDisplayError } from '../../../../api/display-error.ts';
import { useRead } from '../../../../api/hooks.ts';
import { Chart } from '../../../../ui/chart/Chart.tsx';
import { ChartPanel, type FigureColumn } from '../../../../ui/chart/ChartPanel.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { type PriceLine, candleOption } from '../../../../ui/chart/candle-option.ts';
import { formatGrouped } from '../../../../ui/value/decimal.ts';
import { formatTime, useZone } from '../../../../ui/value/zone.ts';

interface Props {
  id: number;
  marketName: string;
  /** Horizontal price lines; must keep its identity. */
  lines?: readonly PriceLine[];
}

const NONE: readonly Candle[] = [];
const NO_LINES: readonly PriceLine[] = [];
const LENGTHS = Object.keys(candleLabels) as CandleLength[];
const REFETCH_MS = 5_000;

/** Candles of a market from the tick record, as chart and table. */
export function MarketCandles({ id, marketName, lines = NO_LINES }: Props) {
  const zone = useZone();
  const [length, setLength] = useState<CandleLength>('15m');
  const read = useRead(market.candles, { id, length, limit: 120 }, { refetchMs: REFETCH_MS, keepPrevious: true });
  const bars = read.data?.list ?? NONE;
  const days = length === '1d';
  const option = useMemo(() => candleOption({ bars, lines, zone, days }), [bars, lines, zone, days]);
  const last = bars.at(-1);
  const columns = useMemo(() => columnsFor(zone), [zone]);
  return (
    <ChartPanel
      title={`${marketName} K线`}
      note={
        <span className="ht-market-lengths" role="group" aria-label="K线周期">
          {LENGTHS.map((item) => (
            <button key={item} type="button" aria-pressed={item === length} onClick={() => setLength(item)}>
              {candleLabels[item]}
            </button>
          ))}
        </span>
      }
      rows={read.data && bars.toReversed()}
      keyOf={({ at }) => at}
      columns={columns}
      empty={bars.length === 0 ? '还没有行情：交易平台推送成交价后显示。' : undefined}
      error={!read.data && read.error ? toDisplayError(read.error) : undefined}
      onRetry={() => void read.refetch()}
    >
      <Chart
        option={option}
        label={`${marketName} ${candleLabels[length]}K线图${last ? `，最近收盘 ${formatGrouped(last.close)} USDT` : ''}${lines.map(({ name, price }) => `，${name} ${formatGrouped(price)}`).join('')}`}
      />
    </ChartPanel>
  );
}

function columnsFor(zone: string): readonly FigureColumn<Candle>[] {
  const price = (title: string, priceOf: (row: Candle) => string): FigureColumn<Candle> => ({
    title,
    right: true,
    text: priceOf,
    cell: (row) => <Money value={priceOf(row)} />,
  });
  return [
    { title: '时间', text: ({ at }) => formatTime(at, zone) },
    price('开盘', ({ open }) => open),
    price('最高', ({ high }) => high),
    price('最低', ({ low }) => low),
    price('收盘', ({ close }) => close),
    {
      title: '成交量',
      right: true,
      text: ({ volume }) => volume ?? '--',
      cell: ({ volume }) => <Money value={volume} />,
    },
  ];
}
