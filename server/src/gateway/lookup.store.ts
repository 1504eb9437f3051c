import { type RawBuilder, sql } from 'kysely';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { MarketRow, Network } from '@hengtai/contract/trading/market/schema';
import { findListed } from '../destination/keys.ts';
import { prepared } from '../database/connect.ts';
import type { EventBatch, EventUser } from './event-batch.ts';
import { type PlatformScope, hasMarket } from './platform-scope.ts';
import { reject, rejectField } from './rejected.ts';

const userFields = sql`u.id, u.agent_id as "agentId", u.state, u.trade, u.ai, u.ieo_buy as "ieoBuy", u.ieo_sell as "ieoSell",
  u.win_type as "winType", u.win_rate as "winRate"`;

/**
 * Reads and locks the users of all events of a batch. An unknown account is no error here, because an earlier event may
 * register it. A subquery computes `lower()`, because it is not leakproof: compared directly, PostgreSQL would evaluate it
 * after the row-level security policy and not use the index.
 *
 * @param toTake accounts that `mustTakeUser` will ask for
 */
export async function prefetchUsers(
  batch: EventBatch,
  { toFind, toTake }: { toFind: readonly string[]; toTake: readonly string[] },
): Promise<void> {
  for (const [accounts, lock] of [
    [toFind, sql`for key share of u`],
    [toTake, sql`for no key update of u`],
  ] as const) {
    if (accounts.length === 0) continue;
    // As a condition, the platform would let the planner expect one user, and read all users for each account.
    const { rows } = await sql<EventUser & { account: string; isOwn: boolean }>`${prepared}
      select a.account, u.platform_id = ${batch.scope.id} as "isOwn", ${userFields}
      from (select account, lower(account) as key from unnest(${accounts}::text[]) as a(account) offset 0) a
      join users u on u.account_key = a.key where u.deleted_at is null
      order by u.id ${lock}`.execute(batch.db);
    for (const { account, isOwn, ...user } of rows)
      if (isOwn) batch.users.set(account, { user, isForUpdate: accounts === toTake });
  }
}

/** Caches a user that this batch inserted. No other transaction sees the row yet, so it needs no lock. */
export const cacheUser = (batch: EventBatch, account: string, user: EventUser): void =>
  void batch.users.set(account, { user, isForUpdate: true });

/**
 * Finds a user and locks it against being moved or deleted until the transaction ends.
 *
 * @throws Rejected for an account that is unknown, deleted, or of another platform
 */
export const mustFindUser = async (batch: EventBatch, account: string, field = 'account'): Promise<EventUser> =>
  batch.users.get(account)?.user ?? mustLockUser(batch, account, field, sql`for key share`);

/** As `mustFindUser` for an event that changes the user itself, so it locks the row for update. */
export async function mustTakeUser(batch: EventBatch, account: string): Promise<EventUser> {
  const locked = batch.users.get(account);
  return locked?.isForUpdate ? locked.user : mustLockUser(batch, account, 'account', sql`for no key update`);
}

async function mustLockUser(
  { db, scope }: EventBatch,
  account: string,
  field: string,
  lock: RawBuilder<unknown>,
): Promise<EventUser> {
  const { rows } = await sql<EventUser>`${prepared}
    select ${userFields} from users u where u.account_key = lower(${account}) and u.deleted_at is null
      and u.platform_id = ${scope.id} ${lock}`.execute(db);
  if (!rows[0]) throw reject('unknown', field);
  return rows[0];
}

/**
 * Finds an agent by account, or the admin if no account is given.
 *
 * @throws Rejected for an account that is unknown or deleted
 */
export async function mustFindAgent(
  batch: EventBatch,
  account: string | undefined,
  field: string,
): Promise<{ id: number }> {
  const condition = account === undefined ? sql`parent_id is null` : sql`account_key = lower(${account})`;
  const agent = await batch.once(`agent ${account ?? ''}`, async () => {
    const { rows } = await sql<{ id: number }>`${prepared}
      select id from agent where deleted_at is null and ${condition}`.execute(batch.db);
    return rows[0];
  });
  if (!agent) throw reject('unknown', field);
  return agent;
}

export interface EventMarket extends Pick<
  MarketRow,
  | 'id'
  | 'marketName'
  | 'state'
  | 'spot'
  | 'future'
  | 'ieo'
  | 'rechargeState'
  | 'withdrawState'
  | 'networks'
  | 'withdrawFee'
  | 'withdrawMin'
  | 'withdrawMax'
  | 'maxLeverage'
  | 'pricePrecision'
  | 'amountPrecision'
  | 'minAmount'
  | 'maxAmount'
> {
  /** Id of the settlement asset. */
  usdtId: number;
  /** The coins of a pair. A coin is its own, quoted in the settlement asset. */
  coinId: number;
  quoteId: number;
  isPair: boolean;
  /** Whether the coin has a price of its own or is the settlement asset, so that no pair tells its value. */
  isPriced: boolean;
  /** Whether levels or groups have limits of withdrawals for it. */
  hasWithdrawLimits: boolean;
  /** Whether price protection halts spot trading or futures. */
  isSpotHalted: boolean;
  isFutureHalted: boolean;
}

/** Undefined for a market that is unknown or not of the platform. */
export async function findMarket(batch: EventBatch, name: string): Promise<EventMarket | undefined> {
  if (!hasMarket(batch.scope, name)) return undefined;
  return batch.once(`market ${name}`, async () => (await fetchMarkets(batch, [name]))[0]);
}

/** @throws Rejected for a market that is unknown or not of the platform */
export async function mustFindMarket(batch: EventBatch, name: string, field = 'market'): Promise<EventMarket> {
  const market = await findMarket(batch, name);
  if (!market) throw reject('unknown', field);
  return market;
}

/**
 * Finds a coin, which has balances.
 *
 * @throws Rejected for an unknown market and for a pair
 */
export async function mustFindCoin(batch: EventBatch, name: string, field = 'market'): Promise<EventMarket> {
  const market = await mustFindMarket(batch, name, field);
  if (market.isPair) throw rejectField(field, 'a coin, not a pair,');
  return market;
}

/** Whether the market whose name this column has is in scope. */
export const inMarkets = ({ markets }: PlatformScope, column: string): RawBuilder<boolean> =>
  markets === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} = any(${[...markets, SETTLEMENT]}::text[])`;

/** Reads the markets of all events of a batch. */
export async function prefetchMarkets(batch: EventBatch, names: readonly string[]): Promise<void> {
  for (const market of await fetchMarkets(batch, names)) batch.remember(`market ${market.marketName}`, market);
}

async function fetchMarkets({ db }: EventBatch, names: readonly string[]): Promise<EventMarket[]> {
  const { rows } = await sql<EventMarket>`${prepared}
    select m.id, market_name as "marketName", state, spot, future,
      coalesce((select b.ieo from market b where b.id = m.base_id), ieo) as ieo, recharge_state as "rechargeState",
      withdraw_state as "withdrawState", networks, withdraw_fee as "withdrawFee", withdraw_min as "withdrawMin",
      withdraw_max as "withdrawMax",
      exists (select from withdraw_limit l where l.market_id = m.id) as "hasWithdrawLimits",
      max_leverage as "maxLeverage", price_precision as "pricePrecision", amount_precision as "amountPrecision",
      min_amount as "minAmount", max_amount as "maxAmount", halted_at is not null as "isSpotHalted",
      future_halted_at is not null as "isFutureHalted",
      s.id as "usdtId", coalesce(m.base_id, m.id) as "coinId", coalesce(m.quote_id, s.id) as "quoteId",
      m.base_id is not null as "isPair",
      price is not null or m.id = s.id as "isPriced"
    from market m cross join (select id from market where market_name = ${SETTLEMENT}) s
    where market_name = any(${names}::text[])`.execute(db);
  return rows;
}

/**
 * The networks of a coin, by which a record is keyed. A save that changes families waits until the record is committed, and
 * then keys it again.
 */
export async function takeNetworks(
  batch: EventBatch,
  { id }: Pick<EventMarket, 'id'>,
): Promise<EventMarket['networks']> {
  const networks = await batch.once(`networks ${id}`, async () => {
    const { rows } = await sql<Pick<EventMarket, 'networks'>>`${prepared}
      select networks from market where id = ${id} for key share`.execute(batch.db);
    return rows[0]?.networks;
  });
  return networks ?? [];
}

/** Whether the installation is live. A live installation accepts no imported history. */
export const isLive = (batch: EventBatch): Promise<boolean | undefined> =>
  batch.once('live', async () => {
    const { rows } = await sql<{ live: number }>`${prepared}select live from installation`.execute(batch.db);
    return rows[0]?.live === 1;
  });

export const isFrozen = ({ state }: Pick<EventUser, 'state'>): boolean => state !== 1;

/** Whether a market is listed; it can also be delisted or paused. */
export const isListed = ({ state }: Pick<EventMarket, 'state'>): boolean => state === 1;

/** The network as a coin lists it, whatever the spelling; undefined if the coin does not list it. */
export function findNetwork({ networks }: Pick<EventMarket, 'networks'>, network: string): Network | undefined {
  return findListed(networks, network);
}

/**
 * Whether deposits or withdrawals over a network are switched on. A network that is not among those that the coin lists is
 * closed; a coin that lists none takes any.
 */
export const isNetworkOpen = (
  market: Pick<EventMarket, 'networks'>,
  network: string,
  what: 'recharge' | 'withdraw',
): boolean => market.networks.length === 0 || findNetwork(market, network)?.[what] === 1;
