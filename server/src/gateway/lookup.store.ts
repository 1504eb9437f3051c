import { type RawBuilder, sql } from 'kysely';
import type { MarketRow } from '@hengtai/contract/market.schema';
import { type Db, prepared } from '../db/connect.ts';
import { reject } from './rejected.ts';

/** A user as events need it. */
export interface EventUser {
  id: number;
  agentId: number;
  state: number;
  trade: number;
  ai: number;
  ieoBuy: number;
  ieoSell: number;
  winType: number;
  winRate: string | null;
}

const userFields = sql`u.id, u.agent_id as "agentId", u.state, u.trade, u.ai, u.ieo_buy as "ieoBuy", u.ieo_sell as "ieoSell",
  u.win_type as "winType", u.win_rate as "winRate"`;

interface Known {
  /** By the account as the events write it. */
  users: Map<string, EventUser>;
  /** Those that nobody else may change meanwhile. */
  taken: Set<number>;
}

/** Users that a group of events has read and holds. */
const people = new WeakMap<Db, Known>();

/**
 * Reads and holds them for all events of a transaction, which change nothing of what is read here. Who is not found may be
 * registered by an event before the one that names it. The keys are made apart: a condition that itself calls what might
 * tell of a row is asked of the rows that row-level security lets through, which are all, and no index is used.
 *
 * @param toTake accounts that `mustTakeUser` will ask for
 */
export async function prefetchUsers(
  db: Db,
  { toFind, toTake }: { toFind: readonly string[]; toTake: readonly string[] },
): Promise<void> {
  const known: Known = { users: new Map(), taken: new Set() };
  people.set(db, known);
  for (const [accounts, hold] of [
    [toFind, sql`for key share of u`],
    [toTake, sql`for no key update of u`],
  ] as const) {
    if (accounts.length === 0) continue;
    const { rows } = await sql<EventUser & { account: string }>`${prepared}
      select a.account, ${userFields}
      from (select account, lower(account) as key from unnest(${accounts}::text[]) as a(account) offset 0) a
      join users u on u.account_key = a.key where u.deleted_at is null order by u.id ${hold}`.execute(db);
    for (const { account, ...user } of rows) {
      known.users.set(account, user);
      if (accounts === toTake) known.taken.add(user.id);
    }
  }
}

/** A user that this transaction has made: nobody else knows it yet. */
export function cacheUser(db: Db, account: string, user: EventUser): void {
  const known = people.get(db);
  known?.users.set(account, user);
  known?.taken.add(user.id);
}

/**
 * Held until the transaction ends: who moves or deletes a user waits for the rows that the event writes about it, and an
 * event that waited sees what became of the user.
 *
 * @throws Rejected for an account that is unknown or deleted
 */
export const mustFindUser = async (db: Db, account: string, field = 'account'): Promise<EventUser> =>
  people.get(db)?.users.get(account) ?? mustHold(db, account, field, sql`for key share`);

/** As mustFindUser for an event that changes the user itself: one of them at a time. */
export async function mustTakeUser(db: Db, account: string, field = 'account'): Promise<EventUser> {
  const known = people.get(db);
  const user = known?.users.get(account);
  return user && known?.taken.has(user.id) ? user : mustHold(db, account, field, sql`for no key update`);
}

async function mustHold(db: Db, account: string, field: string, hold: RawBuilder<unknown>): Promise<EventUser> {
  const { rows } = await sql<EventUser>`${prepared}
    select ${userFields} from users u where u.account_key = lower(${account}) and u.deleted_at is null ${hold}`.execute(
    db,
  );
  if (!rows[0]) throw reject('unknown', field);
  return rows[0];
}

/** An agent by account, or the top-level admin when none is given. */
export async function mustFindAgent(db: Db, account: string | undefined, field: string): Promise<{ id: number }> {
  const whose = account === undefined ? sql`parent_id is null` : sql`account_key = lower(${account})`;
  const agent = await readOnce(db, `agent ${account ?? ''}`, async () => {
    const { rows } = await sql<{ id: number }>`${prepared}
      select id from agent where deleted_at is null and ${whose}`.execute(db);
    return rows[0];
  });
  if (!agent) throw reject('unknown', field);
  return agent;
}

export type EventMarket = Pick<
  MarketRow,
  'id' | 'marketName' | 'state' | 'ieo' | 'rechargeState' | 'withdrawState' | 'networks' | 'withdrawMin' | 'withdrawMax'
>;

const seen = new WeakMap<Db, Map<string, unknown>>();

/**
 * One transaction reads a market or an agent once: many events follow each other in it, and they hardly ever name another
 * one. What was not found is looked for again.
 *
 * @param db the transaction of the events; its own object, as every transaction's is
 * @param key what is read, and of whom
 */
export async function readOnce<T>(db: Db, key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
  const known = seen.get(db) ?? new Map<string, unknown>();
  seen.set(db, known);
  // Under one key stands what one and the same statement answers.
  const found = (known.get(key) as T | undefined) ?? (await read());
  if (found !== undefined) known.set(key, found);
  return found;
}

export async function mustFindMarket(db: Db, name: string): Promise<EventMarket> {
  const market = await readOnce(db, `market ${name}`, () => findMarket(db, name));
  if (!market) throw reject('unknown', 'market');
  return market;
}

async function findMarket(db: Db, name: string): Promise<EventMarket | undefined> {
  const { rows } = await sql<EventMarket>`${prepared}
    select id, market_name as "marketName", state, ieo, recharge_state as "rechargeState", withdraw_state as "withdrawState",
      networks, withdraw_min as "withdrawMin", withdraw_max as "withdrawMax"
    from market where market_name = ${name}`.execute(db);
  return rows[0];
}

/** Whether the installation is live: then nothing of its past is taken any more. */
export const isLive = (db: Db): Promise<boolean | undefined> =>
  readOnce(db, 'live', async () => {
    const { rows } = await sql<{ live: number }>`${prepared}select live from installation`.execute(db);
    return rows[0]?.live === 1;
  });

/** Whether a network's switch stands open; a network that the market does not list is left to the platform. */
export const networkOpen = (market: EventMarket, network: string, what: 'recharge' | 'withdraw'): boolean =>
  market.networks.find((listed) => listed.network === network)?.[what] !== 0;
