import { GUARDED_ABILITIES } from '@hengtai/contract/authority/guards';
import { sql } from 'kysely';
import { type Db, withFullScope } from '../database/connect.ts';
import { notifyApprovers } from './approver-notification.store.ts';
import { recordNotification } from './notification.store.ts';

/** What an operator proves its identity with, as the notification of a change names it. */
export type Credential = 'password' | 'factor' | 'link' | 'signingKey';

interface Owner {
  account: string;
  /** Whether four-eyes are locked and the account can move money, change a protection or approve. */
  isCritical: boolean;
}

async function findOwner(db: Db, operatorId: number): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    select o.account, i.four_eyes_locked_at is not null
      and (o.parent_id is null or o.abilities && ${[...GUARDED_ABILITIES]}::int[]) as "isCritical"
    from agent o cross join installation i where o.id = ${operatorId}`.execute(db);
  return rows[0];
}

/**
 * Notifies the owner of a login that it changed, in the transaction of the change, also if another person made it. While four-eyes are
 * locked, every approver is notified as well if the owner holds a guarded ability.
 */
export const notifyCredential = (
  { db, now }: { db: Db; now: number },
  operatorId: number,
  credential: Credential,
): Promise<void> =>
  withFullScope(db, async () => {
    const owner = await findOwner(db, operatorId);
    if (!owner) return;
    await recordNotification(db, {
      type: `session.${credential}`,
      refType: 'credential',
      refId: 0,
      agentId: operatorId,
      operatorId,
      at: now,
      now,
    });
    if (owner.isCritical) await notifyApprovers({ db, now }, 'fourEyes.credential', owner.account);
  });
