import { ABILITY } from '@hengtai/contract/authority/ability';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { sql } from 'kysely';
import { type Db, withFullScope } from '../database/connect.ts';
import { recordNotification } from './notification.store.ts';

/** Notifies every operator who holds the approval ability, with one row for each. */
export const notifyApprovers = (
  { db, now }: { db: Db; now: number },
  type: Extract<NotificationType, 'approver.granted' | 'signing.reset' | `fourEyes.${string}`>,
  detail = '',
): Promise<void> =>
  withFullScope(db, async () => {
    const { rows } = await sql<{ id: number }>`
      select id from agent where state = 1 and deleted_at is null and password_hash is not null
        and (parent_id is null or ${ABILITY.approval} = any(abilities)) order by id`.execute(db);
    for (const { id } of rows)
      await recordNotification(db, {
        type,
        refType: 'fourEyes',
        refId: 0,
        agentId: id,
        operatorId: id,
        detail,
        at: now,
        now,
      });
  });
