import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { sql } from 'kysely';
import type { Db } from '../database/connect.ts';

/** Takes the lines of a save for its approval; false if another open approval has one of them. */
export async function insertLines(db: Db, approvalId: number, lines: readonly string[]): Promise<boolean> {
  // Lines of approvals that are closed stay until somebody needs them.
  await sql`delete from approval_line l using approval a
    where l.line = any(${[...lines]}::text[]) and a.id = l.approval_id and a.state <> ${sql.lit(APPROVAL.open)}`.execute(
    db,
  );
  const { rows } = await sql`
    insert into approval_line (line, approval_id) select unnest(${[...lines]}::text[]), ${approvalId}::bigint
    on conflict (line) do nothing returning 1`.execute(db);
  return rows.length === lines.length;
}

/** The open approvals of these lines. Needs full scope. */
export async function findApprovalsOfLines(
  db: Db,
  lines: readonly string[],
): Promise<{ id: number; agentId: number | null }[]> {
  const { rows } = await sql<{ id: number; agentId: number | null }>`
    select a.id, a.agent_id as "agentId" from approval a
    where a.id in (select l.approval_id from approval_line l where l.line = any(${[...lines]}::text[]))
      and a.state = ${sql.lit(APPROVAL.open)}
    order by a.id for update`.execute(db);
  return rows;
}
