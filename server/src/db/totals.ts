import { sql, type RawBuilder } from 'kysely';
import type { Db } from './connect.ts';
import type { ListSource } from './list.ts';

export interface Totals {
  total: number;
  summary?: never[];
}

/** Counts and sums the rows of a list per coin, from the rows themselves. */
export async function totals(db: Db, source: ListSource, where: RawBuilder<boolean>): Promise<Totals> {
  if (!source.sums) {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${source.from} where ${where}`.execute(
      db,
    );
    return { total: rows[0]?.total ?? 0 };
  }
  const { marketId, demo, fields } = source.sums;
  const sums = sql.join(
    Object.entries(fields).map(([name, column]) => sql`sum(${sql.ref(column)}) as ${sql.ref(name)}`),
  );
  const named = sql.join(Object.keys(fields).map((name) => sql`s.${sql.ref(name)}`));
  const name =
    demo === undefined
      ? sql`m.market_name`
      : sql`case s.demo when 1 then m.market_name || '（模拟）' else m.market_name end`;
  const { rows } = await sql<{ count: number }>`
    select s.market_id as "marketId", ${name} as "marketName", ${demo === undefined ? sql`` : sql`s.demo,`} s.count, ${named}
    from (select ${sql.ref(marketId)} as market_id, ${demo === undefined ? sql`0` : sql.ref(demo)} as demo, count(*) as count,
        ${sums} from ${source.from} where ${where} group by 1, 2) s
    join market m on m.id = s.market_id order by m.sort, m.id, s.demo`.execute(db);
  // The list declares the fields of the sums, and the contract's schema types them.
  return { total: rows.reduce((total, row) => total + row.count, 0), summary: rows as never[] };
}

/** Count and sums of one coin from the rollups, as decimal strings. */
export interface MarketTotal {
  marketId: number;
  marketName: string | null;
  count: number;
  s1: string;
  s2: string;
  s3: string;
}

/** Sums rollup counts per coin; `place` is the position of the coin in the display order. */
export const totalsFrom = (counts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select s.market_key as "marketId", m.market_name as "marketName", s.n as count, s.s1, s.s2, s.s3,
    row_number() over (order by m.sort, m.id) as place
  from (select market_key, sum(n)::bigint as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3 from (${counts}) c
    group by market_key having sum(n) <> 0) s
  left join market m on m.id = s.market_key order by place`;

/** Converts the sums of the rollups to the fields that the list declares. */
export function totalsOf(rows: readonly MarketTotal[], source: ListSource): Totals {
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

/** Converts totals back to rollup counts, as a table expression; the inverse of `totalsOf`. */
export function countsOf({ total, summary = [] }: Totals, { sums }: ListSource): RawBuilder<unknown> {
  if (!sums)
    return sql`select 0::bigint as market_key, ${total}::bigint as n, 0::numeric as s1, 0::numeric as s2, 0::numeric as s3`;
  const coins: readonly Readonly<Record<string, string | number>>[] = summary;
  const names = Object.keys(sums.fields);
  const each = (name: string | undefined): (string | number)[] => coins.map((coin) => coin[name ?? ''] ?? '0');
  return sql`select * from unnest(${each('marketId')}::bigint[], ${each('count')}::bigint[], ${each(names[0])}::numeric[],
    ${each(names[1])}::numeric[], ${each(names[2])}::numeric[])`;
}
