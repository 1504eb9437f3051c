import type { UserSwitches } from '@hengtai/contract/gateway/commands.schema';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import type { ActionResult } from '../../../actions/action.ts';
import type { Subject } from '../../../actions/action-audit.ts';
import { requireFound } from '../../../app/refuse.ts';
import { type UserRecord, findUser } from './user.store.ts';

export const subjectOf = (user: UserRecord): Subject => ({
  type: 'user',
  id: user.id,
  userId: user.id,
  account: user.account,
  agentId: user.agentId,
});

/** The settings of a user that `user.updated` commands and audit rows contain. */
export const switchesOf = (user: UserRow): UserSwitches => ({
  account: user.account,
  state: user.state,
  trade: user.trade,
  ieoBuy: user.ieoBuy,
  ieoSell: user.ieoSell,
  ai: user.ai,
  winType: user.winType,
  winRate: user.winRate,
});

/** Whether the user may sell on the market. A token sold by subscription (`ieo = 1`) needs the `ieoSell` switch. */
export const canSell = (user: { ieoSell: number }, market: { ieo: number }): boolean =>
  market.ieo !== 1 || user.ieoSell === 1;

/** The row of the response, without `agentId`. */
export function rowOf({ agentId: _agentId, ...row }: UserRecord): UserRow {
  return row;
}

/** The answer of a call that sets what the user already has. */
export const recordOf = (user: UserRecord): { data: UserRow; subject: Subject } => ({
  data: rowOf(user),
  subject: subjectOf(user),
});

/** @throws Refused 404 for a user that is deleted or outside the operator's scope */
export async function mustFind(ctx: Ctx, id: number): Promise<UserRecord> {
  return requireFound(await findUser(ctx, id));
}

/** Sends the user's current settings to the platform and returns the result of the action. */
export async function finishAndNotify(ctx: Ctx, before: UserRecord): Promise<ActionResult<UserRow>> {
  const after = await mustFind(ctx, before.id);
  const data = switchesOf(after);
  await enqueue(ctx.db, { type: 'user.updated', refType: 'user', refId: after.id, data, now: ctx.now });
  return { data: rowOf(after), subject: subjectOf(after), before: switchesOf(before), after: data };
}
