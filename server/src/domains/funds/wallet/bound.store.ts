import { MATCH_MINUTES } from '@hengtai/contract/funds/wallet/item';
import type { Network } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { findListed } from '../../../destination/keys.ts';
import { type Db, prepared } from '../../../database/connect.ts';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 30;

/** Milliseconds that a move or a record on a network of a coin may wait for the other. */
export type Bounds = (place: { marketId: number; network: string }) => number;

/** Reads the bound of the setting and those of networks that have their own. */
export async function fetchBounds(db: Db): Promise<Bounds> {
  const usual = await findMatchMs(db);
  const { rows } = await sql<{ id: number; networks: Network[] }>`${prepared}
    select id, networks from market where jsonb_path_exists(networks, '$[*].matchMinutes')`.execute(db);
  const networks = new Map(rows.map((market) => [market.id, market.networks]));
  return ({ marketId, network }) => {
    const own = findListed(networks.get(marketId) ?? [], network)?.matchMinutes;
    return own === undefined ? usual : own * MINUTE_MS;
  };
}

/** The longest bound of all networks, in milliseconds. */
export async function findLongestMatchMs(db: Db): Promise<number> {
  const { rows } = await sql<{ minutes: number | null }>`${prepared}
    select max(n.minutes::float8) as minutes from market
    cross join jsonb_path_query(networks, '$[*].matchMinutes') n(minutes)`.execute(db);
  return Math.max(await findMatchMs(db), (rows[0]?.minutes ?? 0) * MINUTE_MS);
}

/** The bound of networks without their own, in milliseconds. */
async function findMatchMs(db: Db): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`${prepared}
    select num::float8 as minutes from config where key = ${MATCH_MINUTES}`.execute(db);
  return (rows[0]?.minutes ?? DEFAULT_MINUTES) * MINUTE_MS;
}
