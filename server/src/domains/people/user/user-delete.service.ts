import type { ActionInput } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { user as calls } from '@hengtai/contract/people/user/calls';
import type { UserDeleted } from '@hengtai/contract/people/user/schema';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { refuse } from '../../../app/refuse.ts';
import { type UserChanges, followChange } from './user-changes.rules.ts';
import { closeUser } from './user-delete.store.ts';
import { lockAccounts } from './user-move.store.ts';
import { type OpenProbe, findOpenItems } from './user-open.store.ts';
import { subjectOf, switchesOf } from './user.steps.ts';
import { type UserRecord, findUser, lockUser } from './user.store.ts';

/**
 * Deletes a user softly: its account name stays taken and its rows stay. The locks on the user and its accounts come
 * before the check for open items, so a concurrent credit either is seen by the check or finds the accounts closed.
 */
export const userDelete = (probes: readonly OpenProbe[], changes: readonly UserChanges[]) =>
  defineAction<ActionInput, UserDeleted, UserRecord>({
    call: calls.del,
    load: (ctx, { id }) => findUser(ctx, id),
    execute: async (ctx, _input, target) => {
      if (!(await lockUser(ctx, target.id))) throw refuse(refusals.notFound);
      await lockAccounts(ctx, target.id);
      const open = await findOpenItems(ctx.db, probes, target.id);
      if (open.length > 0) {
        const texts = open.map(({ text }) => text).join('；');
        throw refuse(refusals.userBusy, `${refusals.userBusy.msg}：${texts}`, open);
      }
      await closeUser(ctx, target.id);
      await followChange(changes, 'deleted', ctx, target);
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
