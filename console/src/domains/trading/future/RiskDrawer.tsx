import '../../../ui/chart/chart-key.css';
import './future.css';
import { HEAT_RANGE, demoLabels, future } from '@hengtai/contract/trading/future/calls';
import { heatRanges } from '@hengtai/contract/wire/input-values';
import type { FutureExposure, FutureHeat } from '@hengtai/contract/trading/future/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { Radio, Select } from 'antd';
import { useMemo, useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { Chart } from '../../../ui/chart/Chart.tsx';
import { ChartPanel, type FigureColumn } from '../../../ui/chart/ChartPanel.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { ProfitAmount } from '../../../records/order-parts.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { exposureOption, heatOption } from './risk-option.ts';

interface Props {
  /** The market that is selected first; the first one of the list if undefined. */
  first: number | undefined;
  onClose: () => void;
}

type Demo = 0 | 1;
const REFETCH_MS = 10_000;
const NONE: readonly FutureExposure[] = [];
const demoOptions = Object.entries(demoLabels).map(([value, label]) => ({ value: Number(value), label }));
const rangeOptions = Object.entries(heatRanges).map(([value, label]) => ({ value: Number(value), label }));

/** Exposure of users in each market and the prices of their liquidations. Real and demo positions are never mixed. */
export function RiskDrawer({ first, onClose }: Props) {
  const [demo, setDemo] = useState<Demo>(0);
  const exposure = useRead(future.exposure, { demo }, { refetchMs: REFETCH_MS });
  const [market, setMarket] = useState(first);
  const rows = exposure.data ?? NONE;
  const selectedMarket = market ?? rows[0]?.marketId;
  return (
    <PageDrawer open width={960} title="敞口与强平分布" onClose={onClose}>
      <div className="ht-future-risk-tools">
        <Radio.Group
          aria-label="实盘或模拟"
          optionType="button"
          options={demoOptions}
          value={demo}
          onChange={({ target }) => setDemo(target.value as Demo)}
        />
        <span className="ht-value-faint">
          {demo === 1 ? '模拟持仓，不涉及资金。' : '实盘持仓，按最新标记价计算，仅含您可见的用户。'}
        </span>
      </div>
      <div className="ht-future-panels">
        <ExposurePanel rows={exposure.data} query={exposure} />
        <HeatPanel demo={demo} market={selectedMarket} rows={rows} onMarket={setMarket} />
      </div>
    </PageDrawer>
  );
}

interface QueryState {
  data: unknown;
  error: unknown;
  refetch: () => unknown;
}

const panelState = ({ data, error, refetch }: QueryState) => ({
  error: data === undefined && error ? toDisplayError(error) : undefined,
  onRetry: () => void refetch(),
});

const money = (value: string | null) => <Money value={value} digits={4} shortened />;
const text = (value: string | null): string => value ?? '--';

const exposureColumns: readonly FigureColumn<FutureExposure>[] = [
  { title: '市场', text: ({ marketName }) => marketName },
  {
    title: '标记价',
    right: true,
    text: (r) => text(r.markPrice),
    cell: (r) => <Money value={r.markPrice} shortened />,
  },
  { title: '多仓', right: true, text: (r) => String(r.long.positions) },
  { title: '多仓(USDT)', right: true, text: (r) => text(r.long.notional), cell: (r) => money(r.long.notional) },
  { title: '空仓', right: true, text: (r) => String(r.short.positions) },
  { title: '空仓(USDT)', right: true, text: (r) => text(r.short.notional), cell: (r) => money(r.short.notional) },
  {
    title: '净敞口(USDT)',
    right: true,
    text: (r) => text(r.netNotional),
    cell: (r) => <ProfitAmount value={r.netNotional} />,
  },
  {
    title: '多仓浮盈亏',
    right: true,
    text: (r) => text(r.long.unrealized),
    cell: (r) => <ProfitAmount value={r.long.unrealized} />,
  },
  {
    title: '空仓浮盈亏',
    right: true,
    text: (r) => text(r.short.unrealized),
    cell: (r) => <ProfitAmount value={r.short.unrealized} />,
  },
];

function ExposurePanel({ rows, query }: { rows: readonly FutureExposure[] | undefined; query: QueryState }) {
  const option = useMemo(() => exposureOption(rows ?? NONE), [rows]);
  return (
    <ChartPanel
      title="各市场敞口"
      note={<Legend long="做多" short="做空" aside="名义价值（USDT）" />}
      rows={rows}
      keyOf={({ marketId }) => marketId}
      columns={exposureColumns}
      empty={rows?.length === 0 ? '没有持仓。' : undefined}
      {...panelState(query)}
    >
      <Chart label={`各市场做多与做空名义价值的柱状图，共 ${rows?.length ?? 0} 个市场`} option={option} />
    </ChartPanel>
  );
}

type Band = FutureHeat['bands'][number];

const bandColumns: readonly FigureColumn<Band>[] = [
  { title: '从', right: true, text: ({ from }) => from, cell: ({ from }) => <Money value={from} shortened /> },
  { title: '到', right: true, text: ({ to }) => to, cell: ({ to }) => <Money value={to} shortened /> },
  { title: '多仓', right: true, text: ({ long }) => String(long.positions) },
  { title: '多仓强平(USDT)', right: true, text: ({ long }) => long.notional, cell: ({ long }) => money(long.notional) },
  { title: '空仓', right: true, text: ({ short }) => String(short.positions) },
  {
    title: '空仓强平(USDT)',
    right: true,
    text: ({ short }) => short.notional,
    cell: ({ short }) => money(short.notional),
  },
];

interface HeatProps {
  demo: Demo;
  market: number | undefined;
  rows: readonly FutureExposure[];
  onMarket: (id: number) => void;
}

function HeatPanel({ demo, market, rows, onMarket }: HeatProps) {
  const [range, setRange] = useState<number>(HEAT_RANGE);
  const enabled = market !== undefined;
  const heat = useRead(future.heat, enabled ? { marketId: market, demo, range } : undefined, { refetchMs: REFETCH_MS });
  const { data } = heat;
  const option = useMemo(() => (data ? heatOption(data) : () => ({})), [data]);
  const hasPositions = data?.bands.some(({ long, short }) => long.positions + short.positions > 0) ?? false;
  const bands = useMemo(() => (enabled ? data?.bands.toReversed() : []), [enabled, data]);
  return (
    <>
      <div className="ht-future-risk-tools">
        <Select
          aria-label="市场"
          style={{ minWidth: 140 }}
          placeholder="选择市场"
          value={market ?? null}
          options={rows.map(({ marketId, marketName }) => ({ value: marketId, label: marketName }))}
          onChange={(id: number | null) => id !== null && onMarket(id)}
        />
        <Radio.Group
          aria-label="价格范围"
          optionType="button"
          options={rangeOptions}
          value={range}
          onChange={({ target }) => setRange(target.value as number)}
        />
      </div>
      <ChartPanel
        title={data ? `${data.marketName} 强平分布` : '强平分布'}
        note={data && <HeatNote heat={data} />}
        rows={bands}
        keyOf={({ from }) => from}
        columns={bandColumns}
        empty={emptyText(enabled, data, hasPositions)}
        {...panelState(heat)}
      >
        <Chart label={`按价格分布的强平名义价值柱状图，标记价 ${data?.markPrice ?? '--'}`} option={option} />
      </ChartPanel>
    </>
  );
}

/** Legend of the colours. */
function Legend({ long, short, aside }: { long: string; short: string; aside?: string }) {
  return (
    <>
      <span className="ht-chart-key">
        <i style={{ background: 'var(--ht-up)' }} />
        {long}
      </span>
      <span className="ht-chart-key">
        <i style={{ background: 'var(--ht-down)' }} />
        {short}
      </span>
      {aside !== undefined && <span>{aside}</span>}
    </>
  );
}

function emptyText(enabled: boolean, heat: FutureHeat | undefined, hasPositions: boolean): string | undefined {
  if (!enabled) return '没有持仓。';
  if (heat?.markPrice === null) return '该市场还没有行情。';
  return heat && !hasPositions ? '所选范围内没有会被强平的持仓。' : undefined;
}

function HeatNote({ heat }: { heat: FutureHeat }) {
  const count = ({ long, short }: FutureHeat['below']) => long.positions + short.positions;
  return (
    <>
      <Legend long="多仓强平" short="空仓强平" />
      <span>
        标记价 <Money value={heat.markPrice} unit={SETTLEMENT} shortened />
      </span>
      <span>
        范围外：下方 {count(heat.below)} 仓，上方 {count(heat.above)} 仓
      </span>
      <span>不会强平 {heat.never} 仓</span>
    </>
  );
}
