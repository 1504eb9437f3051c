import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

// Changes to locked four-eyes that only the owner of the database may make.

export async function unlockFourEyes(db: Db, now: number): Promise<void> {
  await sql`update installation set four_eyes_locked_at = null, four_eyes_locked_by = null,
    four_eyes_confirmed_by = null, four_eyes_unlocked_at = ${now}`.execute(db);
}

/** Enables an operator and grants it abilities that are effective immediately. */
export async function appointApprover(db: Db, id: number, abilities: readonly number[], now: number): Promise<void> {
  for (const ability of abilities) await grantNow(db, id, ability, now);
  await sql`update agent set state = 1 where id = ${id} and deleted_at is null`.execute(db);
  await sql`update installation set approver_appointed_at = ${now}`.execute(db);
}

/** Grants an ability without delay. The top-level admin holds every ability without a grant, so it is skipped. */
async function grantNow(db: Db, id: number, ability: number, now: number): Promise<void> {
  await sql`
    with granted as (
      update agent set abilities = array_append(abilities, ${ability}::int), updated_at = ${now}
      where id = ${id} and parent_id is not null and not ${ability}::int = any(abilities) returning id
    )
    insert into agent_grant (operator_id, ability, granted_by, granted_at)
    select id, ${ability}::int, 'host', ${now}::bigint from granted`.execute(db);
  await sql`update agent_grant set effective_at = null where operator_id = ${id} and ability = ${ability}`.execute(db);
}
