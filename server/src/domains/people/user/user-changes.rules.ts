import type { Ctx } from '../../../app/context.ts';

/** `moving` comes before the accounts of the user move to another agent, `moved` after all its records have. */
type Change = 'frozen' | 'moving' | 'moved' | 'deleted';

/** A user with its agent after the change. */
interface ChangedUser {
  id: number;
  agentId: number;
}

/** What follows in a module from changes of a user, in the transaction of the change, which has locked the user. */
export type UserChanges = Partial<Record<Change, (ctx: Ctx, user: ChangedUser) => Promise<void>>>;

/** Lets the modules follow a change, one after the other. */
export async function followChange(
  modules: readonly UserChanges[],
  change: Change,
  ctx: Ctx,
  user: ChangedUser,
): Promise<void> {
  for (const module of modules) await module[change]?.(ctx, user);
}
