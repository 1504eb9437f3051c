import { ENTRY, type EntryType, type Platform } from '@hengtai/contract/money';
import { sql } from 'kysely';
import { type Db, brokenConstraint, prepared } from '../db/connect.ts';
import type { AccountName } from './account.ts';
import { type Leg, type PostedEntry, type TransferHead, post } from './post.ts';

/** Whose money a request freezes, and on which account. */
export interface HoldOwner {
  user: { id: number; agentId: number };
  marketId: number;
  platform: Platform;
}

/** Whose hold it is; mostly the request that moves the money. */
export type HoldRef = Pick<TransferHead, 'refType' | 'refId'>;

/** A release asked for more than the request still holds; nothing was posted. */
export class HoldExceeded extends Error {
  override name = 'HoldExceeded';
}

export const activeOf = (owner: HoldOwner): AccountName => ({ ...owner, bucket: 'active' });
export const frozenOf = (owner: HoldOwner): AccountName => ({ ...owner, bucket: 'frozen' });

/** active to frozen; the hold belongs to the request that `head` names. */
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
 * As `freeze`, for a hold that is filled and emptied in parts: adds to what `ref` holds already. What it released before is
 * settled first, so that the hold never grows beyond what is frozen.
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

/** frozen back to active, as one leg. */
export const unfreezeLeg = (owner: HoldOwner, amount: string, type: EntryType = ENTRY.unfreeze): Leg => ({
  debit: frozenOf(owner),
  credit: activeOf(owner),
  amount,
  debitType: type,
  creditType: type,
});

/**
 * Posts legs that take `amount` out of what `ref` has frozen: the request named by `head`, unless it is said otherwise.
 *
 * @throws HoldExceeded when it holds less than that
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
