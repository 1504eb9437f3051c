import { report } from '@hengtai/contract/desk/report/calls';
import type { FundDayRow } from '@hengtai/contract/desk/report/schema';
import { useMemo } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { Chart } from '../../../ui/chart/Chart.tsx';
import { ChartKey } from '../../../ui/chart/ChartKey.tsx';
import { ChartPanel, type FigureColumn } from '../../../ui/chart/ChartPanel.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { formatGrouped, sum } from '../../../ui/value/decimal.ts';
import { balanceOption, flowOption } from './options.ts';

interface Props {
  agent: string | undefined;
  marketId: number;
  from: number | undefined;
  to: number | undefined;
}

const NONE: readonly FundDayRow[] = [];
/** Days per chart: one page of the list. Of a longer period only the last days are drawn. */
const DAYS_MAX = 200;

const moneyCell = (value: string) => <Money value={value} />;
const dayOf = ({ day }: FundDayRow): string => day;

const balanceColumns: readonly FigureColumn<FundDayRow>[] = [
  { title: '日期', text: dayOf },
  { title: '期初余额', right: true, text: (row) => row.opening, cell: (row) => moneyCell(row.opening) },
  { title: '期末余额', right: true, text: (row) => row.closing, cell: (row) => moneyCell(row.closing) },
];
const flowColumns: readonly FigureColumn<FundDayRow>[] = [
  { title: '日期', text: dayOf },
  { title: '转入合计', right: true, text: (row) => row.in, cell: (row) => moneyCell(row.in) },
  { title: '转出合计', right: true, text: (row) => row.out, cell: (row) => moneyCell(row.out) },
];

/** Charts of one coin for the selected subtree: balance at the end of each day, and inflow and outflow. */
export function FundCharts({ agent, marketId, from, to }: Props) {
  const query = useRead(
    report.fund,
    { marketId, size: DAYS_MAX, sort: '-createdAt', ...(agent && { agent }), ...(from && { from }), ...(to && { to }) },
    { keepPrevious: true },
  );
  const latest = query.data?.list;
  const rows = useMemo(() => latest?.toReversed() ?? NONE, [latest]);
  const coin = rows[0]?.marketName ?? '';
  const balances = useMemo(() => balanceOption(rows, coin), [rows, coin]);
  const flows = useMemo(() => flowOption(rows, coin), [rows, coin]);
  const lastClosing = rows.at(-1)?.closing ?? '0';
  const [inflow, outflow] = [sum(rows.map((row) => row.in)), sum(rows.map((row) => row.out))];
  const panel = {
    rows: latest,
    keyOf: dayOf,
    empty: rows.length === 0 ? '这段时间没有余额，也没有资金变动。' : undefined,
    error: !query.data && query.error ? toDisplayError(query.error) : undefined,
    onRetry: () => void query.refetch(),
  };
  return (
    <div className="ht-report-charts">
      <ChartPanel
        {...panel}
        title={`每日期末余额${coin && ` · ${coin}`}`}
        note={
          <ChartKey
            token="--ht-accent"
            look="line"
            name="期末余额"
            value={<Money value={lastClosing} digits={2} shortened />}
          />
        }
        columns={balanceColumns}
      >
        <Chart
          option={balances}
          label={`${coin} 每日期末余额的折线图：最后一天为 ${formatGrouped(lastClosing)} ${coin}`}
        />
      </ChartPanel>
      <ChartPanel
        {...panel}
        title={`每日转入与转出${coin && ` · ${coin}`}`}
        note={
          <>
            <ChartKey token="--ht-up" name="转入" value={<Money value={inflow} digits={2} shortened />} />
            <ChartKey
              token="--ht-down"
              look="outline"
              name="转出"
              value={<Money value={outflow} digits={2} shortened />}
            />
          </>
        }
        columns={flowColumns}
        foot={['合计', moneyCell(inflow), moneyCell(outflow)]}
      >
        <Chart
          option={flows}
          label={`${coin} 每日转入与转出的柱状图：转入合计 ${formatGrouped(inflow)}，转出合计 ${formatGrouped(outflow)}`}
        />
      </ChartPanel>
    </div>
  );
}
