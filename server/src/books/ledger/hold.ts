import { Decimal } from '@hengtai/contract/values/decimal';
import { ENTRY, type EntryType, type Platform } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { type Db, brokenConstraint, prepared } from '../../database/connect.ts';
import { unnestRows } from '../../database/bulk.ts';
import { type AccountName, keyOf, textOf } from './account.ts';
import { type Leg, type PostedEntry, type TransferHead, leg, post } from './post.ts';

/** The account whose money is frozen. */
export interface HoldOwner {
  user: { id: number; agentId: number };
  marketId: number;
  platform: Platform;
}

/** The request that owns a hold; usually the one that also moves the money. */
export type HoldRef = Pick<TransferHead, 'refType' | 'refId'>;

/** A release exceeds what the request still holds. Nothing was posted. */
export class HoldExceeded extends Error {
  override name = 'HoldExceeded';
}

/** The account of the user of a record, in one coin. */
export const ownerOf = (
  { userId, agentId }: { userId: number; agentId: number },
  marketId: number,
  platform: Platform,
): HoldOwner => ({ user: { id: userId, agentId }, marketId, platform });

export const activeOf = (owner: HoldOwner): AccountName => ({ ...owner, bucket: 'active' });
export const frozenOf = (owner: HoldOwner): AccountName => ({ ...owner, bucket: 'frozen' });

export interface NewHold extends HoldRef {
  owner: HoldOwner;
  amount: string;
  /** Unix milliseconds. */
  at: number;
}

const holdTypes = {
  refType: 'text',
  refId: 'bigint',
  userId: 'bigint',
  marketId: 'bigint',
  platform: 'int',
  amount: 'numeric',
  at: 'bigint',
} as const;

/** Inserts holds in order, each for the current agent of its user. */
export async function insertHolds(db: Db, holds: readonly NewHold[]): Promise<void> {
  const rows = holds.map(({ owner: { user, ...owner }, ...hold }) => ({ ...hold, ...owner, userId: user.id }));
  await sql`${prepared}
    insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
    select h."refType", h."refId", u.id, u.agent_id, h."marketId", h.platform, h.amount, h.at
    from ${unnestRows('h', holdTypes, rows)} join users u on u.id = h."userId" order by h.n for key share of u`.execute(
    db,
  );
}

/**
 * Creates a hold for the request in `head` and posts the transfer from active to frozen.
 *
 * @param amount decimal string above zero
 * @throws InsufficientBalance, AccountClosed as `post` does
 */
export async function freeze(
  db: Db,
  head: TransferHead,
  owner: HoldOwner,
  amount: string,
  type?: EntryType,
): Promise<PostedEntry[]> {
  await insertHolds(db, [{ refType: head.refType, refId: head.refId, owner, amount, at: head.at }]);
  return post(db, head, freezeLegs(owner, amount, type));
}

/**
 * As `freeze`, for a hold that grows and shrinks in parts: adds to the hold of `ref`. The previous releases are subtracted
 * from the amount first, so that the hold never exceeds the frozen balance.
 */
export async function freezeMore(
  db: Db,
  head: TransferHead,
  owner: HoldOwner,
  amount: string,
  ref: HoldRef,
): Promise<PostedEntry[]> {
  await growHold(db, ref, owner, amount, head.at);
  return post(db, head, freezeLegs(owner, amount));
}

/** Adds to a hold or creates it, without posting. */
export async function growHold(db: Db, ref: HoldRef, owner: HoldOwner, amount: string, at: number): Promise<void> {
  await sql`${prepared}insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
    values (${ref.refType}, ${ref.refId}, ${owner.user.id}, ${owner.user.agentId}, ${owner.marketId}, ${owner.platform},
      ${amount}, ${at})
    on conflict (ref_type, ref_id, market_id, platform)
      do update set amount = hold.amount - hold.released + excluded.amount, released = 0`.execute(db);
}

export const freezeLegs = (owner: HoldOwner, amount: string, type: EntryType = ENTRY.freeze): Leg[] => [
  leg(activeOf(owner), frozenOf(owner), amount, type),
];

/** The leg from frozen back to active. */
export const unfreezeLeg = (owner: HoldOwner, amount: string, type: EntryType = ENTRY.unfreeze): Leg =>
  leg(frozenOf(owner), activeOf(owner), amount, type);

export interface Release extends HoldRef {
  marketId: number;
  platform: number;
  amount: string;
}

const releaseTypes = {
  refType: 'text',
  refId: 'bigint',
  marketId: 'bigint',
  platform: 'int',
  amount: 'numeric',
} as const;

/**
 * Reduces holds, without posting. Several releases of one hold are added up, because a hold only ever releases more.
 *
 * @throws HoldExceeded if a hold is smaller than what is released
 */
export async function releaseHolds(db: Db, releases: readonly Release[]): Promise<void> {
  try {
    const { rows } = await sql<{ missing: number }>`${prepared}
      with wanted as (
        select "refType", "refId", "marketId", platform, sum(amount) as amount
        from ${unnestRows('r', releaseTypes, releases)} group by 1, 2, 3, 4
      ),
      released as (
        update hold h set released = h.released + w.amount from wanted w
        where h.ref_type = w."refType" and h.ref_id = w."refId" and h.market_id = w."marketId" and h.platform = w.platform
        returning 1
      )
      select (select count(*) from wanted)::int - (select count(*) from released)::int as missing`.execute(db);
    if (rows[0]?.missing !== 0) throw new HoldExceeded('the request holds nothing');
  } catch (error) {
    if (brokenConstraint(error) === 'hold_limits') throw new HoldExceeded('the request holds less', { cause: error });
    throw error;
  }
}

/**
 * The legs that a hold pays for take exactly what it releases from the frozen account. Its twin for the entries is
 * `assertBalanced` in post.ts.
 */
export function assertTaken(legs: readonly Leg[], owner: HoldOwner, amount: string): void {
  const frozen = textOf(keyOf(frozenOf(owner)));
  const isFrozen = (name: AccountName): boolean => textOf(keyOf(name)) === frozen;
  let taken = new Decimal(0);
  for (const leg of legs) {
    if (isFrozen(leg.debit)) taken = taken.plus(leg.amount);
    if (isFrozen(leg.credit)) taken = taken.minus(leg.amount);
  }
  if (!taken.eq(amount)) throw new Error(`the legs take ${taken.toFixed()} of the ${amount} that the hold releases`);
}

/**
 * Posts legs that take `amount` out of the hold of `ref`, by default the request in `head`.
 *
 * @throws HoldExceeded if the hold is smaller than `amount`
 */
export async function release(
  db: Db,
  head: TransferHead,
  owner: HoldOwner,
  amount: string,
  legs: readonly Leg[],
  { refType, refId }: HoldRef = head,
): Promise<PostedEntry[]> {
  assertTaken(legs, owner, amount);
  const { marketId, platform } = owner;
  await releaseHolds(db, [{ refType, refId, marketId, platform, amount }]);
  return post(db, head, legs);
}
