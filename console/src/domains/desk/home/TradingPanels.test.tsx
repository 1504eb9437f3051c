// @vitest-environment happy-dom
import { home } from '@hengtai/contract/desk/home/calls';
import type { HomeTrading, HomeTradingDay } from '@hengtai/contract/desk/home/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryKeyOf } from '../../../api/hooks.ts';
import type { ChartColours } from '../../../ui/chart/chart-colours.ts';
import { TradingPanels } from './TradingPanels.tsx';
import { tradingOption } from './trading-options.ts';

vi.mock('../../../ui/chart/Chart.tsx', () => ({ Chart: () => null }));
afterEach(cleanup);

const flow = { value: '0', count: 0 };
const dayOf = (day: string, spot: HomeTradingDay['spot']): HomeTradingDay => ({
  day,
  spot,
  future: { ...flow, result: '0' },
  second: { ...flow, result: '0' },
  ieo: flow,
});
const priced = dayOf('2026-03-01', { value: '12', count: 4 });
const unpriced = dayOf('2026-03-02', { value: '5', count: 1200, unpriced: 1100 });

function renderPanel(days: HomeTradingDay[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData<HomeTrading>(queryKeyOf(home.trading, {}), { at: 0, zone: 'Asia/Shanghai', days });
  render(
    <QueryClientProvider client={client}>
      <TradingPanels />
    </QueryClientProvider>,
  );
  return screen.getByRole('region', { name: '30天交易额' });
}

const tooltipOf = (days: readonly HomeTradingDay[], dataIndex: number): string => {
  const { tooltip } = tradingOption(days)({} as ChartColours) as { tooltip: { formatter: (all: unknown) => string } };
  return tooltip.formatter([{ dataIndex, seriesIndex: 0, marker: '' }]);
};

test('fills without a price are named beside the turnover that leaves them out', () => {
  const panel = renderPanel([priced, unpriced]);
  expect(within(panel).getByText('未计价 1,100 笔')).toBeTruthy();
  fireEvent.click(within(panel).getByRole('button', { name: '表格' }));
  const rows = within(panel).getAllByRole('row');
  expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual(['未计价笔数', '1,100', '0', '1,100']);
  expect(tooltipOf([priced, unpriced], 1)).toContain('现货 1,100 笔');
  expect(tooltipOf([priced, unpriced], 0)).not.toContain('未计价');
});

test('nothing is said about prices if every fill has one', () => {
  const panel = renderPanel([priced]);
  expect(within(panel).queryByText(/未计价/)).toBeNull();
  fireEvent.click(within(panel).getByRole('button', { name: '表格' }));
  expect(within(panel).getAllByRole('columnheader')).toHaveLength(9);
});
