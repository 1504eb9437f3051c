import { type RawBuilder, sql } from 'kysely';
import type { MarketRow } from '@hengtai/contract/market.schema';
import { type Db, prepared } from '../db/connect.ts';
import { reject } from './rejected.ts';

/** A user as events need it. */
export interface EventUser {
  id: number;
  agentId: number;
  state: number;
  ieoBuy: number;
  ieoSell: number;
}

/**
 * Held until the transaction ends: who moves or deletes a user waits for the rows that the event writes about it, and an
 * event that waited sees what became of the user.
 *
 * @throws Rejected for an account that is unknown or deleted
 */
export const mustFindUser = (db: Db, account: string, field = 'account'): Promise<EventUser> =>
  mustHold(db, account, field, sql`for key share`);

/** As mustFindUser for an event that changes the user itself: one of them at a time. */
export const mustTakeUser = (db: Db, account: string, field = 'account'): Promise<EventUser> =>
  mustHold(db, account, field, sql`for no key update`);

async function mustHold(db: Db, account: string, field: string, hold: RawBuilder<unknown>): Promise<EventUser> {
  const { rows } = await sql<EventUser>`${prepared}
    select id, agent_id as "agentId", state, ieo_buy as "ieoBuy", ieo_sell as "ieoSell" from users
    where account_key = lower(${account}) and deleted_at is null ${hold}`.execute(db);
  if (!rows[0]) throw reject('unknown', field);
  return rows[0];
}

/** An agent by account, or the top-level admin when none is given. */
export async function mustFindAgent(db: Db, account: string | undefined, field: string): Promise<{ id: number }> {
  const whose = account === undefined ? sql`parent_id is null` : sql`account_key = lower(${account})`;
  const { rows } = await sql<{ id: number }>`${prepared}
    select id from agent where deleted_at is null and ${whose}`.execute(db);
  if (!rows[0]) throw reject('unknown', field);
  return rows[0];
}

export type EventMarket = Pick<
  MarketRow,
  'id' | 'marketName' | 'state' | 'ieo' | 'rechargeState' | 'withdrawState' | 'networks'
>;

/** One transaction reads a market once: many events follow each other in it, and they hardly ever name another one. */
const seen = new WeakMap<Db, Map<string, EventMarket>>();

/** @param db the transaction of the events; its own object, as every transaction's is */
export async function mustFindMarket(db: Db, name: string): Promise<EventMarket> {
  const known = seen.get(db) ?? new Map<string, EventMarket>();
  seen.set(db, known);
  const market = known.get(name) ?? (await findMarket(db, name));
  if (!market) throw reject('unknown', 'market');
  known.set(name, market);
  return market;
}

async function findMarket(db: Db, name: string): Promise<EventMarket | undefined> {
  const { rows } = await sql<EventMarket>`${prepared}
    select id, market_name as "marketName", state, ieo, recharge_state as "rechargeState", withdraw_state as "withdrawState",
      networks
    from market where market_name = ${name}`.execute(db);
  return rows[0];
}

/** Whether a network's switch stands open; a network that the market does not list is left to the platform. */
export const networkOpen = (market: EventMarket, network: string, what: 'recharge' | 'withdraw'): boolean =>
  market.networks.find((listed) => listed.network === network)?.[what] !== 0;
