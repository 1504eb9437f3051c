import type { Bucket, EntryType } from '@hengtai/contract/money';
import { type RawBuilder, sql } from 'kysely';
import { type Db, brokenConstraint, prepared } from '../db/connect.ts';
import { type AccountKey, type AccountName, type LockedAccount, keyOf, sameKey, textOf } from './account.ts';

/** Moves one amount from the debit account to the credit account. */
export interface Leg {
  debit: AccountName;
  credit: AccountName;
  /** Decimal string above zero. */
  amount: string;
  /** Entry types, as shown to the owner of each side. */
  debitType: EntryType;
  creditType: EntryType;
}

export interface TransferHead {
  /** The record that causes the transfer, and the id of its row. */
  refType: string;
  refId: number;
  /** Business time, unix milliseconds. */
  at: number;
  /** Time of posting, unix milliseconds. */
  now: number;
  remark?: string;
  operatorId?: number | null;
  reverses?: number | null;
}

export interface PostedEntry {
  id: number;
  transferId: number;
  accountId: number;
  userId: number | null;
  marketId: number;
  platform: number;
  bucket: Bucket;
  type: number;
  amount: string;
  /** The balances before and after the entry, decimal strings. */
  before: string;
  balance: string;
}

/** A user's account has less than the transfer takes. Nothing was posted; the caller must roll back the transaction. */
export class InsufficientBalance extends Error {
  override name = 'InsufficientBalance';
}

/** The user is deleted: its accounts are closed and cannot receive money. Nothing was posted. */
export class AccountClosed extends Error {
  override name = 'AccountClosed';
}

/**
 * Posts one transfer: locks its accounts in a global order, then updates the balances and writes legs and entries in one
 * statement.
 *
 * @throws InsufficientBalance if a user's balance would be negative
 * @throws AccountClosed if the transfer credits a deleted user
 */
export async function post(db: Db, head: TransferHead, legs: readonly Leg[]): Promise<PostedEntry[]> {
  if (legs.length === 0) throw new Error('A transfer needs a leg');
  const keys = legs.map((leg) => ({ debit: keyOf(leg.debit), credit: keyOf(leg.credit) }));
  const found = await lockAccounts(
    db,
    keys.flatMap((leg) => [leg.debit, leg.credit]),
    head.now,
  );
  const idOf = (key: AccountKey): number => {
    const account = found.find((candidate) => sameKey(candidate, key));
    if (!account) throw new AccountClosed(`no account ${JSON.stringify(key)}`);
    return account.id;
  };
  const lines = keys.map(
    (leg, index) => ({ ...legs[index], debitId: idOf(leg.debit), creditId: idOf(leg.credit) }) as Line,
  );
  try {
    return await write(db, head, lines);
  } catch (error) {
    if (brokenConstraint(error).endsWith('_never_negative'))
      throw new InsufficientBalance('balance too small', { cause: error });
    if (brokenConstraint(error) === 'account_closed_is_empty')
      throw new AccountClosed('the account is closed', { cause: error });
    throw error;
  }
}

/**
 * Locks accounts in the global order and returns their balances, for a transfer whose legs depend on them.
 *
 * @returns decimal strings in the order of `names`
 * @throws AccountClosed if an account belongs to a deleted user
 */
export async function lockBalances(db: Db, names: readonly AccountName[], now: number): Promise<string[]> {
  const keys = names.map(keyOf);
  const found = await lockAccounts(db, keys, now);
  return keys.map((key) => {
    const account = found.find((candidate) => sameKey(candidate, key));
    if (!account) throw new AccountClosed(`no account ${JSON.stringify(key)}`);
    return account.balance;
  });
}

/** Prepares statements of few lines only: those of many lines are rare, and each number of lines has its own text. */
const preparedIfShort = (lines: number): RawBuilder<unknown> => (lines <= 8 ? prepared : sql``);

interface Line extends Leg {
  debitId: number;
  creditId: number;
}

/** Writes lines as `values`; their number determines the statement text, so that plans are cached per number of lines. */
const lineValues = (lines: readonly Line[]): RawBuilder<unknown> =>
  sql.join(
    lines.map(
      ({ debitId, creditId, ...leg }, index) =>
        sql`(${debitId}::bigint, ${creditId}::bigint, ${leg.amount}::numeric, ${leg.debitType}::int, ${leg.creditType}::int,
          ${index}::bigint)`,
    ),
  );

async function write(db: Db, head: TransferHead, lines: readonly Line[]): Promise<PostedEntry[]> {
  const { rows } = await sql<PostedEntry>`${preparedIfShort(lines.length)}
    with leg_in as (
      select l.*, nextval('leg_id') as leg_id
      from (values ${lineValues(lines)}) as l(debit_id, credit_id, amount, debit_type, credit_type, n)
    ),
    line as (
      select n, leg_id, -1 as side, debit_id as account_id, -amount as amount, debit_type as type from leg_in
      union all
      select n, leg_id, 1, credit_id, amount, credit_type from leg_in
    ),
    posted as (
      -- Transfers are visible to every operator, so remarks about a user are stored in the entries only.
      insert into transfer (ref_type, ref_id, operator_id, reverses, created_at, recorded_at)
      values (${head.refType}, ${head.refId}, ${head.operatorId ?? null}, ${head.reverses ?? null},
        ${head.at}, ${head.now}) returning id
    ),
    -- Ids are assigned here and not by "returning", because row-level security hides the house's entries from the caller.
    numbered as (
      select nextval(pg_get_serial_sequence('entry', 'id')) as id, r.*
      from (
        select line.n, line.leg_id, line.side, line.type, line.amount, a.id as account_id, a.market_id, a.user_id,
          a.agent_id, a.platform, a.bucket,
          a.balance + sum(line.amount) over (partition by a.id order by line.n, line.side) as balance
        from line join account a on a.id = line.account_id order by line.n, line.side
      ) r
    ),
    written as (
      insert into entry (id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type,
        amount, balance, ref_type, ref_id, remark, operator_id, created_at, recorded_at)
      select numbered.id, posted.id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
        balance, ${head.refType}, ${head.refId}, ${head.remark ?? ''}, ${head.operatorId ?? null}, ${head.at}, ${head.now}
      from numbered cross join posted
    ),
    joined as (
      insert into leg (id, transfer_id, market_id, amount)
      select leg_in.leg_id, posted.id, a.market_id, leg_in.amount
      from leg_in join account a on a.id = leg_in.debit_id cross join posted
    ),
    moved as (
      update account a set balance = a.balance + d.amount
      from (select account_id, sum(amount) as amount from line group by account_id) d where a.id = d.account_id
    )
    select numbered.id, posted.id as "transferId", account_id as "accountId", user_id as "userId",
      market_id as "marketId", platform, bucket, type, amount, balance - amount as before, balance
    from numbered cross join posted order by numbered.id`.execute(db);
  return rows;
}

/**
 * Locks the accounts in the order of their ids. Missing accounts are created first, sorted by key and while no account is
 * locked, so that concurrent transfers on new accounts cannot deadlock.
 */
async function lockAccounts(db: Db, keys: readonly AccountKey[], now: number): Promise<LockedAccount[]> {
  const distinct = keys.filter((key, index) => keys.findIndex((other) => sameKey(key, other)) === index);
  const found = await selectForUpdate(db, distinct);
  if (found.length === distinct.length) return found;
  const known = await selectAccounts(db, distinct);
  const missing = distinct.filter((key) => !known.some((account) => sameKey(account, key)));
  for (const key of missing.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))) {
    await openAccount(db, key, now);
  }
  return selectForUpdate(db, distinct);
}

/**
 * Creates an account unless it exists. It gets the current agent of its user, who may have moved since the caller read it;
 * a deleted user gets no account.
 */
export async function openAccount(db: Db, key: AccountKey, now: number): Promise<void> {
  const owner =
    key.userId === null
      ? sql`select null::bigint as id, null::bigint as agent_id`
      : sql`select id, agent_id from users where id = ${key.userId} and deleted_at is null for key share`;
  await sql`${prepared}
    insert into account (owner, owner_id, user_id, agent_id, market_id, platform, bucket, created_at)
    select ${key.owner}, ${key.ownerId}, u.id, u.agent_id, ${key.marketId}, ${key.platform}, ${key.bucket}, ${now}::bigint
    from (${owner}) u
    on conflict (owner, owner_id, market_id, platform, bucket) do nothing`.execute(db);
}

/** Locks all accounts, or none if one is missing. */
const selectForUpdate = (db: Db, keys: readonly AccountKey[]): Promise<LockedAccount[]> =>
  selectAccounts(db, keys, sql`where (select count(*) from wanted) = ${keys.length} order by a.id for update of a`);

async function selectAccounts(
  db: Db,
  keys: readonly AccountKey[],
  locking: RawBuilder<unknown> = sql``,
): Promise<LockedAccount[]> {
  const { rows } = await sql<LockedAccount>`${preparedIfShort(keys.length)}
    with wanted as (
      select a.id
      from (values ${sql.join(keys.map(keyRow))}) as k(owner, owner_id, market_id, platform, bucket)
      join account a on a.owner = k.owner and a.owner_id = k.owner_id and a.market_id = k.market_id
        and a.platform = k.platform and a.bucket = k.bucket
    )
    select a.id, a.owner, a.owner_id as "ownerId", a.user_id as "userId", a.agent_id as "agentId",
      a.market_id as "marketId", a.platform, a.bucket, a.balance
    from wanted join account a on a.id = wanted.id ${locking}`.execute(db);
  return rows;
}

const keyRow = (key: AccountKey): RawBuilder<unknown> =>
  sql`(${key.owner}::text, ${key.ownerId}::bigint, ${key.marketId}::bigint, ${key.platform}::int, ${key.bucket}::text)`;
