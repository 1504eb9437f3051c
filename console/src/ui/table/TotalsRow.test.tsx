// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { TotalsRow } from './TotalsRow.tsx';

afterEach(cleanup);

const fields = [
  { field: 'amount', label: '下单' },
  { field: 'profit', label: '盈亏' },
] as const;
const lines = [
  { marketId: 1, marketName: 'BTC/USDT', count: 2, amount: '0.1', profit: '-7.5' },
  { marketId: 2, marketName: 'ETH/USDT', count: 1, amount: '999999999999999999.000000000000000001', profit: '2' },
];

const linesOf = (summary: typeof lines, whole?: string): string[][] => {
  const { container } = render(<TotalsRow summary={summary} fields={fields} pending={false} totalLabel={whole} />);
  return [...container.querySelectorAll('dl')].map((line) => [
    line.dataset['coin'] ?? '',
    ...[...line.querySelectorAll('dt small, dd')].map(({ textContent }) => textContent ?? ''),
  ]);
};

test('a first line adds up the others exactly', () => {
  const [whole, ...others] = linesOf(lines, '全部市场');
  expect(whole).toEqual(['全部市场', '3 笔', '下单999,999,999,999,999,999.100000000000000001', '盈亏-5.5']);
  expect(others.map(([coin]) => coin)).toEqual(['BTC/USDT', 'ETH/USDT']);
});

test('an absent sum is not shown as 0', () => {
  const { container } = render(
    <TotalsRow
      summary={[{ marketId: 1, marketName: 'USDT', count: 2, in: '0' }] as never}
      fields={[
        { field: 'in', label: '转入' },
        { field: 'out', label: '转出' },
      ]}
      pending={false}
    />,
  );
  const texts = [...container.querySelectorAll('dd')].map(({ textContent }) => textContent);
  expect(texts).toEqual(['转入0', '转出--']);
});

test('a single line is its own total, and lines of different coins have none', () => {
  expect(linesOf(lines.slice(0, 1), '全部市场')).toHaveLength(1);
  cleanup();
  expect(linesOf(lines)).toHaveLength(2);
});
