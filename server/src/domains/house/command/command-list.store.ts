import { command as calls } from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inListScope, inScope } from '../../../database/scope.ts';
import { ownerOf } from '../../../gateway/command-owner.store.ts';
import { forgetDelivery } from '../../../gateway/command.store.ts';

/** Commands that supersede each other share a group; every other type supersedes only itself. */
const supersedeGroup = (type: string): RawBuilder<unknown> => sql`case
  when ${sql.ref(type)} in ('market.halted', 'market.resumed') then 'halt'
  when ${sql.ref(type)} in ('user.updated', 'user.deleted') then 'user' else ${sql.ref(type)} end`;

const superseded = sql`exists (select from command n where n.ref_type = c.ref_type and n.ref_id = c.ref_id and n.id > c.id
  and n.platform_id is not distinct from c.platform_id and ${supersedeGroup('n.type')} = ${supersedeGroup('c.type')} and n.data ->> 'marketType' is not distinct from c.data ->> 'marketType')`;

// Selects single fields of `data`, because some commands contain password hashes or images.
const fields = sql`
  c.id, c.type, c.state, c.ref_type as "targetType", c.ref_id as "targetId", o.user_id as "userId", u.account,
  g.shown as agent, coalesce(c.data ->> 'no', '') as no,
  coalesce(c.data ->> 'market', c.data ->> 'marketName', m.market_name) as "marketName", c.data ->> 'amount' as amount,
  c.attempt, c.reason, ${superseded} as superseded, c.by_account as "by", c.sent_at as "sentAt", c.done_at as "doneAt",
  c.created_at as "createdAt"`;

const from = sql`command c
  left join ${ownerOf('c')} o on true
  left join users u on u.id = o.user_id
  left join agent g on g.id = o.agent_id
  left join market m on m.id = o.market_id`;

const sourceFor = ({ scope }: Pick<Ctx, 'scope'>): ListSource => ({
  fields,
  from,
  id: 'c.id',
  createdAt: 'c.created_at',
  filters: {
    account: 'u.account_key',
    type: 'c.type',
    state: 'c.state',
    id: 'c.id',
    agent: 'o.agent_id',
    agentRoot: 'o.agent_id',
    userId: 'o.user_id',
    targetId: 'c.ref_id',
  },
  amount: sql`(c.data ->> 'amount')::numeric`,
  where: inListScope(scope, 'o.agent_id'),
});

export const listCommands = defineList(calls.list, sourceFor);

/** A command with the agent that owns it; `agentId` is null for a command about no user. */
export interface CommandRecord extends CommandRow {
  agentId: number | null;
}

export async function findCommand(
  { db, scope }: Pick<Ctx, 'db' | 'scope'>,
  id: number,
): Promise<CommandRecord | undefined> {
  const { rows } = await sql<CommandRecord>`select ${fields}, o.agent_id as "agentId" from ${from}
    where c.id = ${id} and ${inScope(scope, 'o.agent_id')}`.execute(db);
  return rows[0];
}

/** Puts a command back into the queue, where it gets a new number; false when its state is none of `from`. */
export async function retryCommand(
  db: Db,
  id: number,
  { from: states, by }: { from: readonly number[]; by: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update command set state = ${COMMAND.waiting}, due_at = null, done_at = null, reason = '', by_account = ${by},
      ${forgetDelivery}
    where id = ${id} and state = any(${[...states]}::int[])`.execute(db);
  return numAffectedRows === 1n;
}

export async function recordHandler(db: Db, id: number, by: string): Promise<void> {
  await sql`update command set by_account = ${by} where id = ${id}`.execute(db);
}
