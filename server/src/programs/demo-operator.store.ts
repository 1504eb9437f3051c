import { randomUUID } from 'node:crypto';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { setEnabled } from '../domains/people/agent/agent.store.ts';
import { recordAudit } from '../actions/audit.store.ts';
import type { Db } from '../database/connect.ts';
import { treeChanges } from '../database/tree.ts';
import { endSessionsOf } from '../authority/session.store.ts';

/** The second operator of a demo. */
const DEMO_OPERATOR = {
  account: 'fuhe',
  abilities: [ABILITY.withdraw, ABILITY.approval, ABILITY.audit, ABILITY.headquarters],
} as const;

/** Adds a second operator with the admin's password, so that four-eyes can be tried at once. */
export async function insertDemoOperator(db: Db, passwordHash: string, now: number): Promise<void> {
  const { account, abilities } = DEMO_OPERATOR;
  await sql`
    with made as (
      insert into agent (account, password_hash, parent_id, depth, remark, abilities, created_at, recorded_at, updated_at)
      select ${account}, ${passwordHash}, id, 1, '复核员', ${[...abilities]}::int[], ${now}, ${now}, ${now}
      from agent where depth = 0
      on conflict (account_key) do nothing returning id, parent_id
    ), granted as (
      insert into agent_grant (operator_id, ability, granted_at)
      select id, unnest(${[...abilities]}::int[]), ${now}::bigint from made
    ), noted as (
      update installation set demo_operator_id = made.id from made
    ), ${treeChanges()}
    insert into closure (ancestor, descendant) select parent_id, id from made union all select id, id from made`.execute(
    db,
  );
}

/**
 * Disables the demo operator once, when an installation no longer runs the simulator, because it has the admin's
 * password.
 *
 * @returns its account if this call disabled it
 * @throws Error while four-eyes are locked, because it may be one of the approvers
 */
export async function disableDemoOperator(db: Db, now: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: number; account: string; locked: boolean }>`
    select a.id, a.account, i.four_eyes_locked_at is not null as locked
    from installation i join agent a on a.id = i.demo_operator_id
    where a.state = 1 and a.deleted_at is null for update`.execute(db);
  const [found] = rows;
  if (found?.locked)
    throw new Error(
      `The demo operator ${found.account} may be an approver of locked four-eyes and is still enabled. Start with ` +
        `SIMULATOR=on, disable it on the page 代理管理, and start again with SIMULATOR=off. ` +
        `四眼已锁定：请先以 SIMULATOR=on 启动并停用 ${found.account}。`,
    );
  await sql`update installation set demo_operator_id = null where demo_operator_id is not null`.execute(db);
  if (!found) return undefined;
  await setEnabled(db, found.id, 0, now);
  await endSessionsOf(db, [found.id], 'ability', now);
  const who = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
  const target = { targetType: 'agent', targetId: found.id, agentId: found.id };
  await recordAudit(db, who, { ...target, action: 'operator.demoDisabled', result: CODE.ok, after: { state: 0 } });
  return found.account;
}
