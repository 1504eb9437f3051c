import { ENTRY, type EntryType, type Platform } from '@hengtai/contract/money';
import { sql } from 'kysely';
import { type Db, brokenConstraint, prepared } from '../db/connect.ts';
import type { AccountName } from './account.ts';
import { type Leg, type PostedEntry, type TransferHead, post } from './post.ts';

/** The account of which money is frozen. */
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

export const activeOf = (owner: HoldOwner): AccountName => ({ ...owner, bucket: 'active' });
export const frozenOf = (owner: HoldOwner): AccountName => ({ ...owner, bucket: 'frozen' });

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
  type: EntryType = ENTRY.freeze,
): Promise<PostedEntry[]> {
  await sql`${prepared}insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
    select ${head.refType}, ${head.refId}, u.id, u.agent_id, ${owner.marketId}, ${owner.platform}, ${amount}::numeric,
      ${head.at}::bigint
    from users u where u.id = ${owner.user.id} for key share`.execute(db);
  return post(db, head, freezeLegs(owner, amount, type));
}

/**
 * As `freeze`, for a hold that grows and shrinks in parts: adds to the hold of `ref`. The previous releases are subtracted
 * from the amount first, so that the hold never exceeds the frozen balance.
 */
export async function freezeMore(
  db: Db,
  head: TransferHead,
  ref: HoldRef,
  owner: HoldOwner,
  amount: string,
  type: EntryType = ENTRY.freeze,
): Promise<PostedEntry[]> {
  await sql`${prepared}insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
    values (${ref.refType}, ${ref.refId}, ${owner.user.id}, ${owner.user.agentId}, ${owner.marketId}, ${owner.platform},
      ${amount}, ${head.at})
    on conflict (ref_type, ref_id, market_id, platform)
      do update set amount = hold.amount - hold.released + excluded.amount, released = 0`.execute(db);
  return post(db, head, freezeLegs(owner, amount, type));
}

export const freezeLegs = (owner: HoldOwner, amount: string, type: EntryType = ENTRY.freeze): Leg[] => [
  {
    debit: activeOf(owner),
    credit: frozenOf(owner),
    amount,
    debitType: type,
    creditType: type,
  },
];

/** The leg from frozen back to active. */
export const unfreezeLeg = (owner: HoldOwner, amount: string, type: EntryType = ENTRY.unfreeze): Leg => ({
  debit: frozenOf(owner),
  credit: activeOf(owner),
  amount,
  debitType: type,
  creditType: type,
});

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
  ref: HoldRef = head,
): Promise<PostedEntry[]> {
  try {
    const { numAffectedRows } = await sql`${prepared}
      update hold set released = released + ${amount}::numeric
      where ref_type = ${ref.refType} and ref_id = ${ref.refId} and market_id = ${owner.marketId}
        and platform = ${owner.platform}`.execute(db);
    if (numAffectedRows !== 1n) throw new HoldExceeded('the request holds nothing');
  } catch (error) {
    if (brokenConstraint(error) === 'hold_limits') throw new HoldExceeded('the request holds less', { cause: error });
    throw error;
  }
  return post(db, head, legs);
}
