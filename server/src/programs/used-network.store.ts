import { NETWORKS_MAX } from '@hengtai/contract/wire/input-values';
import type { Network } from '@hengtai/contract/trading/market/schema';
import { RECHARGE_SOURCE } from '@hengtai/contract/funds/recharge/calls';
import { sql } from 'kysely';
import { disableStatementTimeout } from '../app/lease.store.ts';
import type { Db } from '../database/connect.ts';
import { raiseAlarm } from '../domains/house/alarm/alarm.store.ts';
import { completeNetworks } from './used-network.rules.ts';

/** Records of this long say which networks are in use. */
const USED_MS = 180 * 24 * 3_600_000;

interface UnfilledMarket {
  id: number;
  networks: Network[];
  withdrawFee: string;
  used: string[];
}

/**
 * After the upgrade from a release that took networks which a coin does not list: adds to each coin that lists networks those
 * that its records used, open and to be confirmed, and raises an alarm that says what changed. Needs full scope.
 */
export async function openUsedNetworks(db: Db, now: number): Promise<void> {
  const { rows: unfilled } = await sql`select from market where unconfirmed is null limit 1`.execute(db);
  if (unfilled.length === 0) return;
  await disableStatementTimeout(db);
  for (const market of await fetchUnfilled(db, now - USED_MS)) {
    const { networks, ...changed } = completeNetworks(market, market.used, NETWORKS_MAX);
    const { added, closed, left } = changed;
    if (added.length > 0)
      await sql`update market set networks = ${JSON.stringify(networks)}::jsonb, unconfirmed = ${added}::text[],
        version = version + 1, updated_at = ${now} where id = ${market.id}`.execute(db);
    if (added.length + closed.length + left.length > 0) await report(db, market.id, changed, now);
  }
  await sql`update market set unconfirmed = '{}' where unconfirmed is null`.execute(db);
}

/** Coins that list networks, with those of their records, the most frequent first. Another process may fill them meanwhile. */
async function fetchUnfilled(db: Db, since: number): Promise<UnfilledMarket[]> {
  const { rows } = await sql<UnfilledMarket>`
    with used as (
      select market_id, network, count(*) as n from (
        select market_id, network from withdraw where created_at >= ${since}
        union all
        select market_id, network from recharge where created_at >= ${since} and source = ${sql.lit(RECHARGE_SOURCE.chain)}
      ) record group by market_id, network
    )
    select m.id, m.networks, m.withdraw_fee as "withdrawFee",
      (select array_agg(u.network order by u.n desc, u.network) from used u
        where u.market_id = m.id) as used
    from market m
    where m.unconfirmed is null and m.networks <> '[]' and exists (select from used u where u.market_id = m.id)
    order by m.id for no key update of m`.execute(db);
  return rows;
}

async function report(
  db: Db,
  marketId: number,
  changed: Record<'added' | 'closed' | 'left', string[]>,
  now: number,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from agent where parent_id is null`.execute(db);
  const detail = Object.fromEntries(
    Object.entries(changed).flatMap(([name, networks]) => (networks.length === 0 ? [] : [[name, networks.join('、')]])),
  );
  const about = { refType: 'market', refId: marketId, agentId: rows[0]?.id ?? 0 };
  await raiseAlarm(db, { kind: 'market.networks', ...about, detail, now });
}
