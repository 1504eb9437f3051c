import { refusals } from '@hengtai/contract/refusals';
import { user as calls } from '@hengtai/contract/user';
import type { UserDeleted, UserDo } from '@hengtai/contract/user.schema';
import { enqueue } from '../gateway/command.store.ts';
import { defineAction } from '../http/action.ts';
import { refuse } from '../refuse.ts';
import { closeSupportConversationOf } from '../support/support.store.ts';
import { closeUser } from './user-delete.store.ts';
import { takeAccounts } from './user-move.store.ts';
import { findOpen } from './user-open.store.ts';
import { subjectOf, switchesOf } from './user.rules.ts';
import { type UserRecord, findUser, takeUser } from './user.store.ts';

/**
 * Takes a user out of the lists for good: its account stays taken, its rows stay where they are. Everything that could
 * give it something is waited for before its open matters are looked at, and its accounts are closed behind it.
 */
export const userDelete = defineAction<UserDo, UserDeleted, UserRecord>({
  name: 'user.del',
  call: calls.del,
  load: (ctx, { id }) => findUser(ctx, id),
  execute: async (ctx, _input, target) => {
    if (!(await takeUser(ctx, target.id))) throw refuse(refusals.notFound);
    await takeAccounts(ctx, target.id);
    const open = await findOpen(ctx.db, target.id);
    if (open.length > 0) {
      const listed = open.map(({ text }) => text).join('；');
      throw refuse(refusals.userBusy, `${refusals.userBusy.msg}：${listed}`, open);
    }
    await closeUser(ctx, target.id);
    await closeSupportConversationOf(ctx, target.id);
    const data = switchesOf(target);
    await enqueue(ctx.db, { type: 'user.deleted', refType: 'user', refId: target.id, data, now: ctx.now });
    return {
      data: { id: target.id, account: target.account, deletedAt: ctx.now },
      subject: subjectOf(target),
      before: { ...data, agent: target.agent, remark: target.remark },
      after: { deletedAt: ctx.now },
    };
  },
});
