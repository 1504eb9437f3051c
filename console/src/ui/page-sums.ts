import { sum } from './decimal.ts';

/** The amount to add up over the rows of a page, and its coin. */
export interface PageSum<Row> {
  coin: (row: Row) => string;
  value: (row: Row) => string;
}

/** Exact sums per coin, in order of first appearance. */
export function pageSums<Row>(rows: readonly Row[], { coin, value }: PageSum<Row>): { coin: string; value: string }[] {
  const byCoin = new Map<string, string[]>();
  for (const row of rows) {
    const values = byCoin.get(coin(row));
    if (values) values.push(value(row));
    else byCoin.set(coin(row), [value(row)]);
  }
  return [...byCoin].map(([name, values]) => ({ coin: name, value: sum(values) }));
}
