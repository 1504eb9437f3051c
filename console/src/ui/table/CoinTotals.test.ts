import { expect, it } from 'vitest';
import { hiddenText } from './CoinTotals.tsx';

const fields = [
  { field: 'amount', label: '数量' },
  { field: 'fee', label: '手续费' },
  { field: 'others', label: '其他', isText: true },
] as const;
const totals = ['USDT', 'BTC', 'ETH'].map((coin) => ({
  coin,
  count: 1,
  sums: { amount: '1', fee: '1', others: null },
}));

it.each([
  ['whole lines', { lines: 2, sums: 4 }, '个币种', '还有 2 个币种'],
  ['whole markets', { lines: 1, sums: 2 }, '个市场', '还有 1 个市场'],
  ['a sum of the first line', { lines: 0, sums: 1 }, '个币种', '还有 1 项'],
  ['a sum of the first line and the lines after it', { lines: 2, sums: 5 }, '个市场', '还有 5 项'],
])('the word for what is hidden follows it: %s', (_, hidden, grouped, text) => {
  expect(hiddenText(hidden, totals, fields, grouped)).toBe(text);
});
