import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../database/connect.ts';
import type { CoinSums, ListSource } from './source.ts';

export interface Totals {
  total: number;
  summary?: never[];
}

/**
 * Counts and sums the rows of a list per coin, from the rows themselves. Without the joins of a page: PostgreSQL removes them, but
 * then reads the table for their columns instead of an index alone.
 */
export async function totals(db: Db, source: ListSource, where: RawBuilder<boolean>): Promise<Totals> {
  const from = source.counted?.from ?? source.from;
  if (!source.sums) {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${from} where ${where}`.execute(db);
    return { total: rows[0]?.total ?? 0 };
  }
  const { marketId, demo, fields, uncounted = {}, perCoin } = source.sums;
  const all = [
    ...Object.entries(fields).map(([name, column]) => [name, sql`sum(${sql.ref(column)})`] as const),
    ...Object.entries(uncounted),
  ];
  const sums = sql.join(all.map(([name, sum]) => sql`${sum} as ${sql.ref(name)}`));
  const named = sql.join(all.map(([name]) => sql`s.${sql.ref(name)}`));
  const name =
    demo === undefined
      ? sql`m.market_name`
      : sql`case s.demo when 1 then m.market_name || '（模拟）' else m.market_name end`;
  const { rows } = await sql<{ count: number; [field: string]: string | number | null }>`
    select s.market_id as "marketId", ${name} as "marketName", ${demo === undefined ? sql`` : sql`s.demo,`} s.count, ${named}
    from (select ${sql.ref(marketId)} as market_id, ${demo === undefined ? sql`0` : sql.ref(demo)} as demo, count(*) as count,
        ${sums} from ${from} where ${where} group by 1, 2) s
    join market m on m.id = s.market_id order by m.sort, m.id, s.demo`.execute(db);
  const amounts = perCoin ? await sumPerCoin(db, { from, line: marketId, ...perCoin }, where) : undefined;
  for (const row of rows) {
    const own = amounts
      ?.filter((amount) => amount.line === row['marketId'])
      .map(({ line: _line, ...amount }) => amount);
    if (perCoin && own && own.length > 0) Object.assign(row, { [perCoin.field]: own });
  }
  // The list declares the fields of the sums, and the contract's schema types them.
  return { total: rows.reduce((total, row) => total + row.count, 0), summary: rows as never[] };
}

/** The amounts of a field in several coins, by the line of the totals that they belong to. */
async function sumPerCoin(
  db: Db,
  { from, line, join, marketId, amount }: CoinSums & { from: RawBuilder<unknown>; line: string },
  where: RawBuilder<boolean>,
) {
  const { rows } = await sql<{ line: number; marketName: string; amount: string }>`
    select s.line, m.market_name as "marketName", s.amount
    from (select ${sql.ref(line)} as line, ${sql.ref(marketId)} as coin, sum(${sql.ref(amount)}) as amount
      from ${from} ${join} where ${where} group by 1, 2) s
    join market m on m.id = s.coin order by s.line, m.sort, m.id`.execute(db);
  return rows;
}

/** Count and sums of one coin from the counters, as decimal strings. */
export interface CoinCount {
  marketId: number;
  marketName: string | null;
  count: number;
  s1: string;
  s2: string;
  s3: string;
}

/** Names the sums of the counters as the list declares them. */
export function toTotals(rows: readonly CoinCount[], source: ListSource): Totals {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (!source.sums) return { total };
  const names = Object.keys(source.sums.fields);
  const summary = rows.map(({ marketId, marketName, count, s1, s2, s3 }) => ({
    marketId,
    marketName,
    count,
    ...Object.fromEntries(names.map((name, at) => [name, [s1, s2, s3][at]])),
  }));
  return { total, summary: summary as never[] };
}
