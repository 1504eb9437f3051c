import type { EntryType } from '@hengtai/contract/money';
import { Decimal } from '@hengtai/contract/decimal';
import { sql } from 'kysely';
import { type Db, prepared } from '../db/connect.ts';
import { type AccountName, keyOf, textOf } from './account.ts';
import { HoldExceeded, type HoldOwner, type HoldRef, freeze, freezeLegs, freezeMore, release } from './hold.ts';
import { type Transfer, lockMany, postMany } from './post-many.ts';
import { AccountClosed, type Leg, type TransferHead, lockBalances, post } from './post.ts';

/**
 * What many events of one transaction post is gathered and written together, in their order: a transfer costs its rows
 * then, and no messages of its own. Where a transaction gathers nothing, the same calls post at once.
 *
 * Nothing is judged here that the database would not judge: what is refused when it is written undoes the whole
 * transaction, and the caller does it again event by event. Whoever reads accounts, entries or holds in such a transaction
 * asks for `writeGathered` before.
 */

interface Freezing extends HoldRef {
  owner: HoldOwner;
  amount: string;
  at: number;
}

interface Releasing extends HoldRef {
  marketId: number;
  platform: number;
  amount: string;
}

/** An account that this transaction holds, with what it will have once everything gathered is written. */
interface Held {
  id: number;
  balance: Decimal;
}

interface Gathered {
  now: number;
  transfers: Transfer[];
  freezings: Freezing[];
  releasings: Releasing[];
  held: Map<string, Held>;
}

const gathering = new WeakMap<Db, Gathered>();

/** From here on the transaction gathers; nothing of it is written unless `writeGathered` is called before its end. */
export function startGathering(db: Db, now: number): void {
  gathering.set(db, { now, transfers: [], freezings: [], releasings: [], held: new Map() });
}

/** As `post`, with the others. */
export async function postSoon(db: Db, head: TransferHead, legs: readonly Leg[]): Promise<void> {
  const gathered = gathering.get(db);
  if (!gathered) await post(db, head, legs);
  else addTransfer(gathered, head, legs);
}

/** As `freeze`, with the others. */
export async function freezeSoon(
  db: Db,
  head: TransferHead,
  owner: HoldOwner,
  amount: string,
  type?: EntryType,
): Promise<void> {
  const gathered = gathering.get(db);
  if (!gathered) {
    await freeze(db, head, owner, amount, type);
    return;
  }
  gathered.freezings.push({ refType: head.refType, refId: head.refId, owner, amount, at: head.at });
  addTransfer(gathered, head, freezeLegs(owner, amount, type));
}

/** As `freezeMore`; it looks at what the hold released before, so what came before it is written first. */
export async function freezeMoreSoon(
  db: Db,
  head: TransferHead,
  owner: HoldOwner,
  amount: string,
  type?: EntryType,
): Promise<void> {
  await writeGathered(db);
  gathering.get(db)?.held.clear();
  await freezeMore(db, head, head, owner, amount, type);
}

/** As `release`, with the others. */
export async function releaseSoon(
  db: Db,
  head: TransferHead,
  owner: HoldOwner,
  amount: string,
  legs: readonly Leg[],
): Promise<void> {
  const gathered = gathering.get(db);
  if (!gathered) {
    await release(db, head, owner, amount, legs);
    return;
  }
  const { marketId, platform } = owner;
  gathered.releasings.push({ refType: head.refType, refId: head.refId, marketId, platform, amount });
  addTransfer(gathered, head, legs);
}

function addTransfer({ transfers, held }: Gathered, { now: _now, ...head }: TransferHead, legs: readonly Leg[]): void {
  if (legs.length === 0) throw new Error('A transfer needs a leg');
  transfers.push({ head, legs });
  for (const { debit, credit, amount } of legs) {
    move(held, debit, new Decimal(amount).negated());
    move(held, credit, new Decimal(amount));
  }
}

function move(held: Map<string, Held>, name: AccountName, by: Decimal): void {
  const account = held.get(textOf(keyOf(name)));
  if (account) account.balance = account.balance.plus(by);
}

/** As `lockBalances`, with what is gathered and not written yet. */
export async function lockBalancesSoon(db: Db, names: readonly AccountName[], now: number): Promise<string[]> {
  const gathered = gathering.get(db);
  if (!gathered) return lockBalances(db, names, now);
  const { held, transfers } = gathered;
  const unknown = names.map(keyOf).filter((key) => !held.has(textOf(key)));
  for (const { balance, ...account } of await lockMany(db, unknown, now)) {
    held.set(textOf(account), {
      id: account.id,
      balance: new Decimal(balance).plus(sumOf(transfers, textOf(account))),
    });
  }
  return names.map((name) => {
    const account = held.get(textOf(keyOf(name)));
    if (!account) throw new AccountClosed(`no account ${textOf(keyOf(name))}`);
    return account.balance.toFixed();
  });
}

function sumOf(transfers: readonly Transfer[], account: string): Decimal {
  let sum = new Decimal(0);
  for (const { debit, credit, amount } of transfers.flatMap(({ legs }) => legs)) {
    if (textOf(keyOf(debit)) === account) sum = sum.minus(amount);
    if (textOf(keyOf(credit)) === account) sum = sum.plus(amount);
  }
  return sum;
}

/**
 * Writes all that is gathered; then accounts, entries and holds say what has happened. Does nothing where nothing is.
 *
 * @throws HoldExceeded when a request held less than was taken from it
 * @throws AccountClosed, DatabaseError as `postMany` does
 */
export async function writeGathered(db: Db): Promise<void> {
  const gathered = gathering.get(db);
  if (!gathered) return;
  const { now, transfers, freezings, releasings, held } = gathered;
  await writeFreezings(db, freezings.splice(0));
  await writeReleasings(db, releasings.splice(0));
  await postMany(db, now, transfers.splice(0), new Map([...held].map(([name, { id }]) => [name, id])));
}

/** As `writeGathered`, if a user's accounts are among what would be written. */
export async function writeGatheredOf(db: Db, userId: number): Promise<void> {
  const its = (name: AccountName): boolean => 'user' in name && name.user.id === userId;
  const legs = gathering.get(db)?.transfers.flatMap((transfer) => transfer.legs) ?? [];
  if (legs.some(({ debit, credit }) => its(debit) || its(credit))) await writeGathered(db);
}

async function writeFreezings(db: Db, all: readonly Freezing[]): Promise<void> {
  if (all.length === 0) return;
  await sql`${prepared}
    insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
    select f.ref_type, f.ref_id, u.id, u.agent_id, f.market_id, f.platform, f.amount, f.at
    from unnest(${all.map(({ refType }) => refType)}::text[], ${all.map(({ refId }) => refId)}::bigint[],
      ${all.map(({ owner }) => owner.user.id)}::bigint[], ${all.map(({ owner }) => owner.marketId)}::bigint[],
      ${all.map(({ owner }) => owner.platform)}::int[], ${all.map(({ amount }) => amount)}::numeric[],
      ${all.map(({ at }) => at)}::bigint[]) with ordinality as f(ref_type, ref_id, user_id, market_id, platform, amount, at, n)
    join users u on u.id = f.user_id order by f.n for key share of u`.execute(db);
}

/** What one hold releases several times is released at once: it only ever grows, so it fits where the sum does. */
async function writeReleasings(db: Db, all: readonly Releasing[]): Promise<void> {
  if (all.length === 0) return;
  const { rows } = await sql<{ missing: number }>`${prepared}
    with wanted as (
      select ref_type, ref_id, market_id, platform, sum(amount) as amount
      from unnest(${all.map(({ refType }) => refType)}::text[], ${all.map(({ refId }) => refId)}::bigint[],
        ${all.map(({ marketId }) => marketId)}::bigint[], ${all.map(({ platform }) => platform)}::int[],
        ${all.map(({ amount }) => amount)}::numeric[]) as w(ref_type, ref_id, market_id, platform, amount)
      group by 1, 2, 3, 4
    ),
    released as (
      update hold h set released = h.released + w.amount from wanted w
      where h.ref_type = w.ref_type and h.ref_id = w.ref_id and h.market_id = w.market_id and h.platform = w.platform
      returning 1
    )
    select (select count(*) from wanted)::int - (select count(*) from released)::int as missing`.execute(db);
  if (rows[0]?.missing !== 0) throw new HoldExceeded('a request holds nothing');
}
