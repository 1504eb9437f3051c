// @vitest-environment happy-dom
import { future } from '@hengtai/contract/trading/future/calls';
import type { FutureCancelPreview } from '@hengtai/contract/trading/future/schema';
import { market } from '@hengtai/contract/trading/market/calls';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { MarketCancel } from './MarketCancel.tsx';

// Popups take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const counts: FutureCancelPreview = {
  marketId: 3,
  marketName: 'ETH',
  orders: 12,
  users: 5,
  cancelling: 2,
  demoOrders: 4,
  held: '300',
  second: false,
};
let previews: Record<number, Partial<FutureCancelPreview>>;
/** Path of the call that fails. */
let refused: string;
let sent: unknown[];

beforeEach(() => {
  previews = { 3: {} };
  refused = '-';
  sent = [];
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    if (body) sent.push(JSON.parse(body));
    const envelope = url.includes(refused) ? { code: 500, msg: '失败' } : { code: 200, msg: '成功', data: answer(url) };
    return new Response(JSON.stringify(envelope));
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function answer(url: string): unknown {
  if (url.includes(market.filter.path))
    return ['USDT', 'BTC', 'ETH'].map((marketName, i) => ({ id: i + 1, marketName }));
  const marketId = Number(new URL(url, 'http://console').searchParams.get('marketId'));
  if (url.includes(future.cancelPreview.path)) return { ...counts, marketId, ...previews[marketId] };
  return { marketId: 3, marketName: 'ETH', orders: 11 };
}

function show(filter?: number, disabledReason?: string) {
  render(
    <QueryClientProvider client={queryClient}>
      <MarketCancel
        filter={filter}
        disabledReason={disabledReason}
        preview={future.cancelPreview}
        cancelAll={future.cancelAll}
        detailsOf={(found) => [{ label: '其中模拟', value: found?.demoOrders ?? '--' }]}
        consequence="逐条发出撤单指令。"
      />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByText('市场撤单'));
}

const text = () => screen.getByRole('dialog').textContent;
const confirmButton = () => document.querySelector<HTMLButtonElement>('[data-verb]');
const choose = async (name: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '市场' }));
  fireEvent.click(await screen.findByText(name, { selector: '.ant-select-item-option-content' }));
};

test('shows what is cancelled in the filtered market, and asks for a reason and its name', async () => {
  show(3);
  await waitFor(() => expect(confirmButton()?.textContent).toBe('撤销 12 条'));
  for (const shown of ['未完成12 条', '用户5 位', '其中模拟4', '撤单中2 条', '逐条发出撤单指令。'])
    expect(text()).toContain(shown);
  expect(text()).not.toContain('复核');
  fireEvent.click(screen.getByText(/市场维护/));
  expect(confirmButton()).toHaveProperty('disabled', true);
  fireEvent.change(screen.getByLabelText(/请输入市场名称以确认/), { target: { value: 'ETH' } });
  fireEvent.click(confirmButton() ?? document.body);
  await waitFor(() => expect(sent).toEqual([{ marketId: 3, reason: '市场维护' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('without a filter a market must be chosen; one without orders cannot be confirmed', async () => {
  previews = { 2: { marketName: 'BTC', orders: 0, demoOrders: 0 } };
  show();
  await screen.findByRole('dialog');
  fireEvent.click(screen.getByText(/市场维护/));
  expect(document.querySelector('.ht-dialog-hint')?.textContent).toBe('请选择市场');
  expect(confirmButton()).toHaveProperty('disabled', true);
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '市场' }));
  await screen.findByText('ETH', { selector: '.ant-select-item-option-content' });
  // USDT has no orders of its own.
  expect(screen.queryByText('USDT', { selector: '.ant-select-item-option-content' })).toBeNull();
  await choose('BTC');
  await waitFor(() => expect(text()).toContain('该市场没有可撤销的委托'));
  expect(screen.queryByLabelText(/请输入市场名称以确认/)).toBeNull();
  expect(confirmButton()).toHaveProperty('disabled', true);
  expect(sent).toEqual([]);
});

test('says that another operator must approve', async () => {
  previews = { 3: { second: true } };
  show(3);
  await waitFor(() => expect(confirmButton()?.textContent).toBe('提交复核'));
  expect(text()).toContain('提交后由另一位复核员确认');
});

test('asks for the name of the market as well if the orders could not be counted', async () => {
  refused = future.cancelPreview.path;
  show(3);
  await waitFor(() => expect(text()).toContain('重试'));
  fireEvent.click(screen.getByText(/市场维护/));
  expect(confirmButton()).toHaveProperty('disabled', true);
  fireEvent.change(screen.getByLabelText(/请输入市场名称以确认/), { target: { value: 'ETH' } });
  expect(confirmButton()).toHaveProperty('disabled', false);
});

test('without the ability the button does nothing', () => {
  show(3, '没有「现货合约」权限');
  expect(screen.queryByRole('dialog')).toBeNull();
});
