import { coinAmountsText } from '@hengtai/contract/values/money';
import type { CoinAmounts } from '@hengtai/contract/wire/schema';
import type { CoinTotal, SumField } from './CoinTotals.tsx';
import { sum } from '../value/decimal.ts';

/** An amount to add up over rows, and its coin. */
export interface RowSum<Row> {
  coin: (row: Row) => string;
  value: (row: Row) => string;
}

/** Exact sums per coin, in order of first appearance. */
export function rowSums<Row>(rows: readonly Row[], { coin, value }: RowSum<Row>): { coin: string; value: string }[] {
  const byCoin = new Map<string, string[]>();
  for (const row of rows) {
    const values = byCoin.get(coin(row));
    if (values) values.push(value(row));
    else byCoin.set(coin(row), [value(row)]);
  }
  return [...byCoin].map(([name, values]) => ({ coin: name, value: sum(values) }));
}

/** How the rows of a page are summed. */
export interface PageSums<Row> {
  /** The coin under which the totals count a row; by default its market. */
  coin?: (row: Row) => string;
  /** The amount of a sum field in a row; by default the field of the same name. */
  value?: (row: Row, field: string) => string | null;
  /** The amounts in several coins of a field with `isText`. */
  amounts?: (row: Row, field: string) => CoinAmounts;
}

/** Exact count and sums per coin, in order of first appearance. Like the totals, leaves out unknown amounts. */
export function pageTotals<Row>(
  rows: readonly Row[],
  fields: readonly SumField[],
  { coin = marketOf, value = amountOf, amounts = () => [] }: PageSums<Row>,
): CoinTotal[] {
  const byCoin = new Map<string, Row[]>();
  for (const row of rows) {
    const coinRows = byCoin.get(coin(row));
    if (coinRows) coinRows.push(row);
    else byCoin.set(coin(row), [row]);
  }
  return [...byCoin].map(([name, coinRows]) => ({
    coin: name,
    count: coinRows.length,
    sums: Object.fromEntries(
      fields.map(({ field, isText }) => {
        if (isText) return [field, sumCoins(coinRows.flatMap((row) => amounts(row, field)))];
        const known = coinRows.map((row) => value(row, field)).filter((amount) => amount !== null);
        return [field, known.length > 0 ? sum(known) : null];
      }),
    ),
  }));
}

/** The sums per coin as a text. */
const sumCoins = (amounts: CoinAmounts): string =>
  coinAmountsText(
    rowSums(amounts, { coin: ({ marketName }) => marketName, value: ({ amount }) => amount }).map((one) => ({
      marketName: one.coin,
      amount: one.value,
    })),
  );

const marketOf = (row: unknown): string => (row as { marketName: string }).marketName;

function amountOf(row: unknown, field: string): string | null {
  const amount: unknown = (row as Readonly<Record<string, unknown>>)[field];
  return typeof amount === 'string' ? amount : null;
}
