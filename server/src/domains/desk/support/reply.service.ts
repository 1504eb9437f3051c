import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { REPLIES_MAX, support as calls } from '@hengtai/contract/desk/support/calls';
import type { SupportReply, SupportReplyDel, SupportReplySave } from '@hengtai/contract/desk/support/schema';
import { defineAction } from '../../../actions/action.ts';
import { houseSubject } from '../../../actions/action-audit.ts';
import { refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { deleteReply, findReply, insertReply, updateReply } from './reply.store.ts';

/** Inserts a canned reply, or updates one of the operator's own. */
export const supportReplySave = defineAction<SupportReplySave, SupportReply, SupportReply | null>({
  call: calls.replySave,
  load: async (ctx, { id }) => (id === undefined ? null : requireOwn(await findReply(ctx, id))),
  setting: {
    record: (target, ctx) => (target ? { data: target, subject: subjectOf(ctx, target) } : undefined),
    isSet: (target, input) => target !== null && stableJson(auditedFields(target)) === stableJson(auditedFields(input)),
  },
  execute: async (ctx, input, target) => {
    const id = target ? await updateReply(ctx, target.id, input) : await insertReply(ctx, input);
    if (id === undefined && !target) throw refuseField('title', `：最多保存 ${REPLIES_MAX} 条快捷回复`);
    const saved = requireFound(id === undefined ? undefined : await findReply(ctx, id));
    return {
      data: saved,
      subject: subjectOf(ctx, saved),
      before: target && auditedFields(target),
      after: auditedFields(saved),
    };
  },
});

export const supportReplyDel = defineAction<SupportReplyDel, null, SupportReply>({
  call: calls.replyDel,
  load: async (ctx, { id }) => requireOwn(await findReply(ctx, id)),
  execute: async (ctx, { id }, target) => {
    if (!(await deleteReply(ctx, id))) throw refuse(refusals.notFound);
    return { data: null, subject: subjectOf(ctx, target), before: auditedFields(target) };
  },
});

/** @throws Refused 403 for a shared reply of another operator, which only its owner may change */
function requireOwn(found: SupportReply | undefined): SupportReply | undefined {
  if (found?.mine === 0) throw refuse(refusals.forbidden, '只有创建者可以修改共享的快捷回复');
  return found;
}

const subjectOf = houseSubject('reply');
const auditedFields = ({ title, text, shared }: Pick<SupportReply, 'title' | 'text' | 'shared'>) => ({
  title,
  text,
  shared,
});
