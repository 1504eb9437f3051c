import { literals } from '../database/literals.ts';
import { COMMAND, type CommandType } from '@hengtai/contract/gateway/gateway';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { type RawBuilder, sql } from 'kysely';
import { recordNotification } from '../actions/notification.store.ts';
import type { Ctx } from '../app/context.ts';
import type { Db } from '../database/connect.ts';
import { inScope } from '../database/scope.ts';
import type { AnswerHandler } from './handlers.ts';

/** A kind of order that an operator ends by a command. The order itself changes only by events of the platform. */
export interface OrderKind {
  table: 'trade_order' | 'future_order' | 'follow';
  /** Kind of the record in commands and notifications. */
  refType: string;
  /** States of an order whose command is in progress. */
  pending: readonly number[];
  /** Assignments that restore the order `o` after its command failed. */
  restored: RawBuilder<unknown>;
}

/** State of the last command about the order `o`. Only orders that an operator acted on are looked up. */
export const lastCommandState = (refType: string): RawBuilder<unknown> =>
  sql`case when o.by_account is null then null else (select c.state from command c
  where c.ref_type = ${sql.lit(refType)} and c.ref_id = o.id order by c.id desc limit 1) end`;

/** How orders of a kind are cancelled: the command, the states that allow it, and the state while it is in progress. */
export interface CancelCommand {
  command: CommandType;
  from: readonly number[];
  to: number;
}

export interface OperatorRequest {
  by: string;
  reason: string;
}

/**
 * Sets an order to the state `to` of a command in progress, also if its last command timed out without an answer.
 *
 * @param from states in which the command is allowed
 * @returns undefined if the order is in another state
 */
export async function startCommand(
  ctx: Ctx,
  { table, refType }: OrderKind,
  id: number,
  { from, to, by, reason }: OperatorRequest & { from: readonly number[]; to: number },
): Promise<{ no: string } | undefined> {
  const { rows } = await sql<{ no: string }>`
    update ${sql.raw(table)} o set state = ${to}, by_account = ${by}, reason = ${reason}, updated_at = ${ctx.now}
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')} and (o.state = any(${[...from]}::int[])
      or (o.state = ${to} and ${lastCommandState(refType)} = ${COMMAND.unknown}))
    returning o.no`.execute(ctx.db);
  return rows[0];
}

/** Applies the answer to a command: only a failure changes the order, unless a later command exists. */
export const answerOrder =
  (kind: OrderKind, type: NotificationType): AnswerHandler =>
  async (db, { id, refId }, answer, reason, now) => {
    if (answer !== 'failed') return;
    const { table, refType, pending, restored } = kind;
    const { rows } = await sql<{ userId: number; agentId: number }>`
      update ${sql.raw(table)} o set ${restored}, updated_at = ${now}
      where o.id = ${refId} and o.state = any(${[...pending]}::int[]) and not exists (
        select from command c where c.ref_type = ${refType} and c.ref_id = o.id and c.id > ${id})
      returning o.user_id as "userId", o.agent_id as "agentId"`.execute(db);
    const [owner] = rows;
    if (owner) await recordNotification(db, { type, refType, refId, ...owner, detail: reason, at: now, now });
  };

/** Finishes the open commands about an order, because an event decided their outcome. */
export async function settleCommands(
  db: Db,
  { refType }: OrderKind,
  id: number,
  state: number,
  reason: string,
  now: number,
): Promise<void> {
  await sql`
    update command set state = ${state}, reason = ${reason}, done_at = ${now}
    where ref_type = ${refType} and ref_id = ${id} and state in (${literals(COMMAND.waiting, COMMAND.sent, COMMAND.unknown)})`.execute(
    db,
  );
}
