import { refusals } from '@hengtai/contract/refusals';
import { user as calls } from '@hengtai/contract/user';
import type { AssetInput, AssetRow, UserAdd, UserRow } from '@hengtai/contract/user.schema';
import { findAgentByAccount } from '../agent/agent.store.ts';
import type { Ctx } from '../context.ts';
import { enqueue } from '../gateway/command.store.ts';
import { defineAction } from '../http/action.ts';
import { refuse } from '../refuse.ts';
import { hashPassword } from '../session/password.ts';
import { findAssets, findUser, insertUser } from './user.store.ts';

/** Users log in at the platform, so the password goes there as a hash and is not kept here. */
export const userAdd = defineAction<UserAdd, UserRow, { id: number; account: string }>({
  name: 'user.add',
  call: calls.add,
  load: async (ctx, input) => findAgentByAccount(ctx, input.agent || ctx.operator.account),
  execute: async (ctx, input, agent) => {
    const password = await hashPassword(input.password);
    const user = {
      account: input.account,
      agentId: agent.id,
      remark: input.remark ?? '',
      createdAt: ctx.now,
      now: ctx.now,
    };
    const id = await insertUser(ctx.db, user);
    if (id === undefined) throw refuse(refusals.accountTaken);
    const data = { account: input.account, agent: agent.account, password };
    await enqueue(ctx.db, { type: 'user.created', refType: 'user', refId: id, data, now: ctx.now });
    const made = await findUser(ctx, id);
    if (!made) throw refuse(refusals.notFound);
    return {
      data: made,
      subject: { type: 'user', id, userId: id, account: made.account, agentId: agent.id },
      after: { account: made.account, agent: agent.account, remark: made.remark },
    };
  },
});

export async function userAsset(ctx: Ctx, input: AssetInput): Promise<AssetRow[]> {
  const user = await findUser(ctx, input.id);
  if (!user) throw refuse(refusals.notFound);
  return findAssets(ctx, user.id, input.platform);
}
