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

interface LockedUsers {
  /** By account, spelled as in the events. */
  users: Map<string, EventUser>;
  /** Ids of users that are locked for update. */
  forUpdate: Set<number>;
}

/** Users that a transaction has read and locked. */
const lockedUsers = new WeakMap<Db, LockedUsers>();

/**
 * Reads and locks the users of all events of a transaction. An unknown account is no error here, because an earlier
 * event may register it. A subquery computes `lower()`, because it is not leakproof: compared directly, PostgreSQL
 * would evaluate it after the row-level security policy and not use the index.
 *
 * @param toTake accounts that `mustTakeUser` will ask for
 */
export async function prefetchUsers(
  db: Db,
  { toFind, toTake }: { toFind: readonly string[]; toTake: readonly string[] },
): Promise<void> {
  const locked: LockedUsers = { users: new Map(), forUpdate: new Set() };
  lockedUsers.set(db, locked);
  for (const [accounts, lock] of [
    [toFind, sql`for key share of u`],
    [toTake, sql`for no key update of u`],
  ] as const) {
    if (accounts.length === 0) continue;
    const { rows } = await sql<EventUser & { account: string }>`${prepared}
      select a.account, ${userFields}
      from (select account, lower(account) as key from unnest(${accounts}::text[]) as a(account) offset 0) a
      join users u on u.account_key = a.key where u.deleted_at is null order by u.id ${lock}`.execute(db);
    for (const { account, ...user } of rows) {
      locked.users.set(account, user);
      if (accounts === toTake) locked.forUpdate.add(user.id);
    }
  }
}

/** Caches a user that this transaction inserted. No other transaction sees the row yet, so it needs no lock. */
export function cacheUser(db: Db, account: string, user: EventUser): void {
  const locked = lockedUsers.get(db);
  locked?.users.set(account, user);
  locked?.forUpdate.add(user.id);
}

/**
 * Finds a user and locks it against being moved or deleted until the transaction ends.
 *
 * @throws Rejected for an account that is unknown or deleted
 */
export const mustFindUser = async (db: Db, account: string, field = 'account'): Promise<EventUser> =>
  lockedUsers.get(db)?.users.get(account) ?? mustLockUser(db, account, field, sql`for key share`);

/** As `mustFindUser` for an event that changes the user itself, so it locks the row for update. */
export async function mustTakeUser(db: Db, account: string, field = 'account'): Promise<EventUser> {
  const locked = lockedUsers.get(db);
  const user = locked?.users.get(account);
  return user && locked?.forUpdate.has(user.id) ? user : mustLockUser(db, account, field, sql`for no key update`);
}

async function mustLockUser(db: Db, account: string, field: string, lock: RawBuilder<unknown>): Promise<EventUser> {
  const { rows } = await sql<EventUser>`${prepared}
    select ${userFields} from users u where u.account_key = lower(${account}) and u.deleted_at is null ${lock}`.execute(
    db,
  );
  if (!rows[0]) throw reject('unknown', field);
  return rows[0];
}

/**
 * Finds an agent by account, or the admin if no account is given.
 *
 * @throws Rejected for an account that is unknown or deleted
 */
export async function mustFindAgent(db: Db, account: string | undefined, field: string): Promise<{ id: number }> {
  const condition = account === undefined ? sql`parent_id is null` : sql`account_key = lower(${account})`;
  const agent = await readOnce(db, `agent ${account ?? ''}`, async () => {
    const { rows } = await sql<{ id: number }>`${prepared}
      select id from agent where deleted_at is null and ${condition}`.execute(db);
    return rows[0];
  });
  if (!agent) throw reject('unknown', field);
  return agent;
}

export type EventMarket = Pick<
  MarketRow,
  'id' | 'marketName' | 'state' | 'ieo' | 'rechargeState' | 'withdrawState' | 'networks' | 'withdrawMin' | 'withdrawMax'
>;

const caches = new WeakMap<Db, Map<string, unknown>>();

/**
 * Memoizes a read for one transaction, because most events of a group name the same few markets and agents. A missing
 * row is not cached.
 *
 * @param db the transaction of the events; every transaction is its own object
 * @param key identifies the statement and its parameters
 */
export async function readOnce<T>(db: Db, key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
  const cache = caches.get(db) ?? new Map<string, unknown>();
  caches.set(db, cache);
  // A key belongs to one statement, hence to one type.
  const found = (cache.get(key) as T | undefined) ?? (await read());
  if (found !== undefined) cache.set(key, found);
  return found;
}

/** @throws Rejected for an unknown market */
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

/** Whether the installation is live. A live installation accepts no imported history. */
export const isLive = (db: Db): Promise<boolean | undefined> =>
  readOnce(db, 'live', async () => {
    const { rows } = await sql<{ live: number }>`${prepared}select live from installation`.execute(db);
    return rows[0]?.live === 1;
  });

/**
 * Whether deposits or withdrawals over a network are switched on. Networks that the market does not list are allowed.
 */
export const networkOpen = (market: EventMarket, network: string, what: 'recharge' | 'withdraw'): boolean =>
  market.networks.find((listed) => listed.network === network)?.[what] !== 0;
