import { Decimal } from '@hengtai/contract/values/decimal';
import type { Bucket, EntryType } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { type Db, brokenConstraint, prepared } from '../../database/connect.ts';
import { type AccountKey, type AccountName, keyOf, textOf } from './account.ts';
import { lockAccounts } from './lock-accounts.ts';

/** One amount that moves from the debit account to the credit account. */
export interface Leg {
  debit: AccountName;
  credit: AccountName;
  /** Decimal string above zero. */
  amount: string;
  /** Entry types, as shown to the owner of each side. */
  debitType: EntryType;
  creditType: EntryType;
}

/** A leg that the owners of both sides see as the same type of entry. */
export const leg = (debit: AccountName, credit: AccountName, amount: string, type: EntryType): Leg => ({
  debit,
  credit,
  amount,
  debitType: type,
  creditType: type,
});

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

/** One transfer of several that are posted together. */
export interface Transfer {
  head: Omit<TransferHead, 'now'>;
  legs: readonly Leg[];
}

/** The transfers of one call, in order. */
interface Posting {
  now: number;
  transfers: readonly Transfer[];
  /** Ids of accounts that this transaction has already locked, by `textOf`. */
  locked?: ReadonlyMap<string, number>;
}

/** As `postMany` for one transfer; returns its entries, two for each leg. */
export async function post(db: Db, { now, ...head }: TransferHead, legs: readonly Leg[]): Promise<PostedEntry[]> {
  const entries = await writeTransfers(db, { now, transfers: [{ head, legs }] }, true);
  assertBalanced(entries, legs.length);
  return entries;
}

/** The entries of a transfer sum to zero per coin. Its twin for the amount of a hold is `assertTaken` in hold.ts. */
export function assertBalanced(entries: readonly Pick<PostedEntry, 'marketId' | 'amount'>[], legs: number): void {
  const sums = new Map<number, Decimal>();
  for (const { marketId, amount } of entries) sums.set(marketId, new Decimal(amount).plus(sums.get(marketId) ?? 0));
  if (entries.length !== 2 * legs || [...sums.values()].some((sum) => !sum.isZero()))
    throw new Error('the entries of a transfer do not balance');
}

/**
 * Posts transfers in order: locks their accounts in a global order, then updates the balances and writes legs and entries
 * in one statement. Each entry has the balance after it.
 *
 * @throws InsufficientBalance if a user's balance would be negative after any of the transfers
 * @throws AccountClosed if a transfer credits a deleted user
 */
export async function postMany(db: Db, posting: Posting): Promise<void> {
  if (posting.transfers.length > 0) await writeTransfers(db, posting, false);
}

async function writeTransfers(
  db: Db,
  { now, transfers, locked = new Map() }: Posting,
  returnsEntries: boolean,
): Promise<PostedEntry[]> {
  if (transfers.some(({ legs }) => legs.length === 0)) throw new Error('A transfer needs a leg');
  const lines = transfers.flatMap(({ legs }, n) =>
    legs.map((leg) => ({ n, leg, from: keyOf(leg.debit), to: keyOf(leg.credit) })),
  );
  const keys = lines.flatMap(({ from, to }) => [from, to]).filter((key) => !locked.has(textOf(key)));
  const ids = new Map([...locked, ...(await lockAccounts(db, keys, now)).map((one) => [textOf(one), one.id] as const)]);
  const idOf = (key: AccountKey): number => {
    const id = ids.get(textOf(key));
    if (id === undefined) throw new AccountClosed(`no account ${textOf(key)}`);
    return id;
  };
  try {
    return await insertTransfers(
      db,
      now,
      transfers.map(({ head }) => head),
      lines.map((line) => ({ ...line, debitId: idOf(line.from), creditId: idOf(line.to) })),
      returnsEntries,
    );
  } catch (error) {
    if (brokenConstraint(error).endsWith('_never_negative'))
      throw new InsufficientBalance('balance too small', { cause: error });
    if (brokenConstraint(error) === 'account_closed_is_empty')
      throw new AccountClosed('the account is closed', { cause: error });
    throw error;
  }
}

interface Line {
  /** Index of the transfer. */
  n: number;
  leg: Leg;
  debitId: number;
  creditId: number;
}

async function insertTransfers(
  db: Db,
  now: number,
  heads: readonly Transfer['head'][],
  lines: readonly Line[],
  returnsEntries: boolean,
): Promise<PostedEntry[]> {
  const { rows } = await sql<PostedEntry>`${prepared}
    with head as (
      select h.*, nextval(pg_get_serial_sequence('transfer', 'id')) as id
      from unnest(${heads.map(({ refType }) => refType)}::text[], ${heads.map(({ refId }) => refId)}::bigint[],
        ${heads.map(({ remark }) => remark ?? '')}::text[], ${heads.map(({ operatorId }) => operatorId ?? null)}::bigint[],
        ${heads.map(({ reverses }) => reverses ?? null)}::bigint[], ${heads.map(({ at }) => at)}::bigint[])
        with ordinality as h(ref_type, ref_id, remark, operator_id, reverses, at, n)
    ),
    leg_in as (
      select l.*, nextval('leg_id') as leg_id
      from unnest(${lines.map(({ n }) => n + 1)}::bigint[], ${lines.map(({ debitId }) => debitId)}::bigint[],
        ${lines.map(({ creditId }) => creditId)}::bigint[], ${lines.map(({ leg }) => leg.amount)}::numeric[],
        ${lines.map(({ leg }) => leg.debitType)}::int[], ${lines.map(({ leg }) => leg.creditType)}::int[])
        with ordinality as l(head, debit_id, credit_id, amount, debit_type, credit_type, n)
    ),
    line as (
      select n, head, leg_id, -1 as side, debit_id as account_id, -amount as amount, debit_type as type from leg_in
      union all
      select n, head, leg_id, 1, credit_id, amount, credit_type from leg_in
    ),
    posted as (
      insert into transfer (id, ref_type, ref_id, operator_id, reverses, created_at, recorded_at) overriding system value
      select id, ref_type, ref_id, operator_id, reverses, at, ${now}::bigint from head
    ),
    -- Ids are assigned here and not by "returning", because row-level security hides the house's entries from the caller.
    numbered as (
      select nextval(pg_get_serial_sequence('entry', 'id')) as id, r.*
      from (
        select line.n, line.leg_id, line.side, line.type, line.amount, h.id as transfer_id, h.ref_type, h.ref_id,
          h.remark, h.operator_id, h.at as created_at, a.id as account_id, a.market_id, a.user_id, a.agent_id, a.platform,
          a.bucket, a.balance + sum(line.amount) over (partition by a.id order by line.n, line.side) as balance
        from line join account a on a.id = line.account_id join head h on h.n = line.head order by line.n, line.side
      ) r
    ),
    written as (
      insert into entry (id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type,
        amount, balance, ref_type, ref_id, remark, operator_id, created_at, recorded_at)
      select id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
        balance, ref_type, ref_id, remark, operator_id, created_at, ${now}::bigint
      from numbered
    ),
    joined as (
      insert into leg (id, transfer_id, market_id, amount)
      select leg_in.leg_id, h.id, a.market_id, leg_in.amount
      from leg_in join account a on a.id = leg_in.debit_id join head h on h.n = leg_in.head
    ),
    moved as (
      update account a set balance = a.balance + d.amount
      from (select account_id, sum(amount) as amount from line group by account_id) d where a.id = d.account_id
    )
    select id, user_id as "userId", market_id as "marketId", platform, bucket, type, amount, balance - amount as before, balance
    from numbered where ${returnsEntries}::boolean order by id`.execute(db);
  return rows;
}
