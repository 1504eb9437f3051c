import type { UserSwitches } from '@hengtai/contract/gateway-commands';
import { refusals } from '@hengtai/contract/refusals';
import type { UserRow } from '@hengtai/contract/user.schema';
import type { Ctx } from '../context.ts';
import { enqueue } from '../gateway/command.store.ts';
import type { Done } from '../http/action.ts';
import type { Subject } from '../http/action-audit.ts';
import { refuse } from '../refuse.ts';
import { type UserRecord, findUser } from './user.store.ts';

export const subjectOf = (user: UserRecord): Subject => ({
  type: 'user',
  id: user.id,
  userId: user.id,
  account: user.account,
  agentId: user.agentId,
});

/** What the platform hears of a user, and what the audit row keeps of a change. */
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

/** Whether the user may sell what the market lists: a token that is sold by subscription, by those who may sell it only. */
export const maySell = (user: { ieoSell: number }, market: { ieo: number }): boolean =>
  market.ieo !== 1 || user.ieoSell === 1;

/** The row as it is shown. */
export function rowOf({ agentId: _agentId, ...row }: UserRecord): UserRow {
  return row;
}

/** @throws Refused 404 for a user that is deleted or outside the operator's tree */
export async function mustFind(ctx: Ctx, id: number): Promise<UserRecord> {
  const user = await findUser(ctx, id);
  if (!user) throw refuse(refusals.notFound);
  return user;
}

/** Tells the platform what the user may do now. */
export async function finishAndNotify(ctx: Ctx, before: UserRecord): Promise<Done<UserRow>> {
  const after = await mustFind(ctx, before.id);
  const data = switchesOf(after);
  await enqueue(ctx.db, { type: 'user.updated', refType: 'user', refId: after.id, data, now: ctx.now });
  return { data: rowOf(after), subject: subjectOf(after), before: switchesOf(before), after: data };
}
