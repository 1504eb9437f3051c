// @vitest-environment happy-dom
import type { Me } from '@hengtai/contract/house/session/schema';
import { spot } from '@hengtai/contract/trading/spot/calls';
import type { SpotDetail, SpotFill, SpotRow } from '@hengtai/contract/trading/spot/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MeContext } from '../../../api/me.ts';
import { queryClient } from '../../../api/query-client.ts';
import { setNavigate } from '../../../navigation/open-path.ts';
import { TabContext } from '../../../navigation/page-route.ts';
import type { Tab } from '../../../navigation/tabs.ts';
import { type Column, placeColumns } from '../../../ui/table/columns.ts';
import { widthsOf } from '../../../ui/table/table-columns.tsx';
import { FillPage } from './FillPage.tsx';
import { SpotPage } from './SpotPage.tsx';
import { spotColumns } from './columns.tsx';
import { fillColumns } from './fill-columns.tsx';

// Rows render in time slices, which take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const owner = { userId: 3, account: 'alice', agent: 'north', marketId: 2, marketName: 'BTC/ETH' };
const pair = { coinName: 'BTC', quoteName: 'ETH' };
const order = {
  ...owner,
  ...pair,
  id: 5,
  no: 'O-5',
  side: 1,
  type: 1,
  price: '0.05',
  amount: '2',
  funds: null,
  filled: '1.5',
  avgPrice: '0.04',
  turnover: '0.061234567890123456',
  fee: '0.0003',
  feeMarket: 'BTC',
  otherFees: [{ marketName: 'HTT', amount: '0.25' }],
  frozen: '0.1',
  state: 1,
  by: null,
  reason: '',
  command: null,
  createdAt: 1_760_000_000_000,
  updatedAt: 1_760_000_000_000,
} satisfies SpotRow;
const fillOf = (id: number, more: Partial<SpotFill>): SpotFill => ({
  ...owner,
  ...pair,
  id,
  orderId: 5,
  tradeNo: `F-${id}`,
  side: 1,
  price: '0.04',
  amount: '0.5',
  turnover: '0.020411522630041152',
  fee: '0.0003',
  feeMarket: 'BTC',
  createdAt: 1_760_000_000_000,
  ...more,
});
const fills = [fillOf(12, { fee: '0.25', feeMarket: 'HTT' }), fillOf(11, {})];
const detail: SpotDetail = { row: order, fills, entries: [], commands: [], second: false };
const answers: Readonly<Record<string, unknown>> = {
  [spot.fills.path]: {
    list: fills,
    total: 2,
    summary: [
      {
        marketId: 2,
        marketName: 'BTC/ETH',
        count: 2,
        amount: '1',
        turnover: '0.040823045260082304',
        fee: [
          { marketName: 'BTC', amount: '0.0003' },
          { marketName: 'HTT', amount: '0.25' },
        ],
      },
    ],
  },
  [spot.list.path]: { list: [order], total: 1, summary: [] },
  [spot.detail.path]: detail,
  'view/counts': { built: [], saved: [] },
};
const opened = vi.fn<(path: string) => void>();
let asked: string[];

beforeEach(() => {
  asked = [];
  opened.mockReset();
  setNavigate((path) => opened(path));
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const path = Object.keys(answers).find((one) => url.includes(one));
    return new Response(JSON.stringify({ code: 200, msg: '', data: path === undefined ? [] : answers[path] }));
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const me = { id: 1, account: 'admin', top: true, abilities: [] } as unknown as Me;
const show = (Page: ComponentType, key: string, search = '') =>
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={me}>
        <TabContext value={{ key, search, params: {}, gen: 0, pinned: false } as unknown as Tab}>
          <Page />
        </TabContext>
      </MeContext>
    </QueryClientProvider>,
  );
const rowText = (cell: HTMLElement, field: string) =>
  cell.closest('[data-row-key]')?.querySelector(`[data-col="${field}"]`)?.textContent;

test('a fill shows all digits of its amounts, its fee in its coin, and leads to its order', async () => {
  show(FillPage, '/trade/fill');
  const [link] = await screen.findAllByRole('link', { name: '现货委托 #5' });
  if (!link) throw new Error('no link to the order');
  expect(link.getAttribute('href')).toBe('/trade/order?open=5');
  expect([rowText(link, 'price'), rowText(link, 'amount')]).toEqual(['0.04 ETH', '0.5']);
  expect(rowText(link, 'turnover')).toContain('0.020411522630041152 ETH');
  expect(rowText(link, 'fee')).toBe('0.25 HTT');
  fireEvent.click(link);
  expect(opened).toHaveBeenCalledWith('/trade/order?open=5');
});

test('the totals of fills name each coin of their fees', async () => {
  show(FillPage, '/trade/fill');
  const totals = await screen.findByRole('region', { name: '合计' });
  await within(totals).findByText('0.0003 BTC；0.25 HTT');
  expect(totals.textContent).toContain('0.040823045260082304');
});

test('an open fill shows its order, whose fills are a list of their own', async () => {
  show(FillPage, '/trade/fill', '?open=5');
  const all = await screen.findByRole('link', { name: '全部成交' });
  expect(all.getAttribute('href')).toBe('/trade/fill?orderId=5');
  expect(asked.some((url) => url.includes(`${spot.detail.path}?id=5`))).toBe(true);
  const made = screen.getByRole('region', { name: '成交明细' });
  expect(within(made).getAllByRole('row')).toHaveLength(3);
});

test('an order shows turnover and fee, how many other coins were charged, and leads to the fills of all', async () => {
  show(SpotPage, '/trade/order');
  const fee = await screen.findByTitle('其他币种手续费：0.25 HTT');
  expect(rowText(fee, 'fee')).toBe('0.0003 BTC +1');
  expect(rowText(fee, 'turnover')).toContain('0.061234567890123456 ETH');
  fireEvent.click(screen.getByText('成交记录'));
  expect(opened).toHaveBeenCalledWith('/trade/fill');
});

/** Room for a table in a window 1,200 pixels wide. */
const ROOM = 908;

test.each<[string, readonly Column<never>[], number, boolean]>([
  ['orders', spotColumns, 124, true],
  ['fills', fillColumns, 72, false],
])('the columns of %s have room in a narrow window', (_name, columns, actions, isSelectable) => {
  const placed = placeColumns<never>(columns, {}).filter(({ shown }) => shown);
  expect(placed.map(({ key }) => key)).toEqual(expect.arrayContaining(['price', 'amount', 'turnover', 'fee']));
  expect(widthsOf(placed, actions, isSelectable).reduce((sum, width) => sum + width)).toBeLessThanOrEqual(ROOM);
});
