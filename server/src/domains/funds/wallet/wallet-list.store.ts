import { wallet as calls } from '@hengtai/contract/funds/wallet/calls';
import type { WalletRow } from '@hengtai/contract/funds/wallet/schema';
import { sql } from 'kysely';
import { explorerOf } from '../../../books/lists/explorer.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import type { Db } from '../../../database/connect.ts';
import { requireHouseReader } from '../house/house.rules.ts';

const differs = sql`case when b.reading_id is null then 2 when b.difference <> 0 then 1 else 0 end`;

/** A wallet that nothing was said of has no balance. */
const amount = sql`coalesce(b.amount, 0)`;

const source: ListSource = {
  fields: sql`
    w.id, w.no, coalesce(nullif(w.name, ''), w.no) as name, w.kind, w.state, w.platform_id as "platformId",
    p.name as "platformName", w.market_id as "marketId", m.market_name as "marketName", w.network, w.address, w.memo,
    ${explorerOf('m.networks', 'w.network')} as explorer, ${amount} as amount, ${differs} as differs, b.difference,
    r.amount as reading, b.read_at as "readAt", r.block, w.created_at as "createdAt"`,
  from: sql`wallet w
    join market m on m.id = w.market_id
    join platform p on p.id = w.platform_id
    left join wallet_balance b on b.wallet_id = w.id
    left join wallet_reading r on r.id = b.reading_id`,
  id: 'w.id',
  createdAt: 'w.created_at',
  filters: {
    name: sql`lower(concat_ws(' ', nullif(w.name, ''), w.no))`,
    marketId: 'w.market_id',
    kind: 'w.kind',
    differs,
    state: 'w.state',
    network: 'w.network',
    platformId: 'w.platform_id',
    id: 'w.id',
  },
  sums: { marketId: 'w.market_id', fields: { amount: 'b.amount' } },
};

export const listWallets = defineList(calls.list, (ctx) => {
  requireHouseReader(ctx);
  return source;
});

/** The wallets of a coin, those that differ first, then the largest, and how many there are. */
export async function fetchWalletsOfCoin(
  db: Db,
  marketId: number,
  limit: number,
): Promise<{ list: WalletRow[]; count: number }> {
  const { rows } = await sql<WalletRow & { count: number }>`
    select ${source.fields}, count(*) over () as count from ${source.from} where w.market_id = ${marketId}
    order by coalesce(b.difference, 0) <> 0 desc, w.state desc, ${amount} desc, w.id limit ${limit}`.execute(db);
  return { list: rows.map(({ count: _count, ...wallet }) => wallet), count: rows[0]?.count ?? 0 };
}
