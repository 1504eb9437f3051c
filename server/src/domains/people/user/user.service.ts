import { PASSWORD_HOLD } from '@hengtai/contract/desk/approval/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { user as calls } from '@hengtai/contract/people/user/calls';
import type {
  AssetInput,
  AssetRow,
  NoteRow,
  UserAdd,
  UserBalance,
  UserNote,
  UserPassword,
  UserRemark,
  UserRow,
} from '@hengtai/contract/people/user/schema';
import { findAgentByAccount } from '../agent/agent.store.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { refuseAndCommit, defineAction } from '../../../actions/action.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { TAKEN_ACCOUNTS, countUse, removeUse } from '../../../authority/operator-rate.store.ts';
import { hashPassword } from '../../../host/password.ts';
import { warnWeak } from '../../../authority/password-rules.ts';
import { findNote, insertNote } from './user-note.store.ts';
import { fetchAssetsAt } from './user-detail.store.ts';
import { holdPayouts, permitGuard } from './user-guard.ts';
import { mustFind, recordOf, rowOf, subjectOf } from './user.steps.ts';
import { type UserRecord, findAssets, findUser, insertCredentialChange, insertUser, setRemark } from './user.store.ts';

/** Users log in at the platform, so the password hash is sent there and not stored here. */
export const userAdd = defineAction<UserAdd, UserRow, { id: number; account: string }>({
  call: calls.add,
  load: async (ctx, input) => findAgentByAccount(ctx, input.agent || ctx.operator.account),
  execute: async (ctx, input, agent) => {
    const password = await hashPassword(input.password);
    await countUse(ctx, TAKEN_ACCOUNTS);
    const user = {
      account: input.account,
      agentId: agent.id,
      remark: input.remark ?? '',
      createdAt: ctx.now,
      now: ctx.now,
    };
    const inserted = await insertUser(ctx.db, user);
    if (!inserted) return refuseAndCommit(refuse(refusals.accountTaken));
    await removeUse(ctx, TAKEN_ACCOUNTS);
    const { id } = inserted;
    const data = { account: input.account, agent: agent.account, password };
    await enqueue(ctx.db, { type: 'user.created', refType: 'user', refId: id, data, now: ctx.now });
    const created = await mustFind(ctx, id);
    return {
      data: rowOf(created),
      ...warnWeak(input.password, input.account),
      subject: subjectOf(created),
      after: { account: created.account, agent: agent.account, remark: created.remark },
    };
  },
});

/**
 * Resets a user's password. It counts as a change of credentials, so withdrawals shortly after it get the
 * `credential_changed` risk.
 */
export const userPassword = defineAction<UserPassword, UserRow, UserRecord>({
  call: calls.pwdUpdate,
  load: (ctx, { id }) => findUser(ctx, id),
  guard: {
    ...permitGuard('重置用户密码'),
    loosens: async (ctx) => !(await isSettingOn(ctx.db, PASSWORD_HOLD)),
    withoutSecrets: ({ password: _password, ...input }) => input as UserPassword,
  },
  execute: async (ctx, input, target) => {
    await holdPayouts(ctx, target.id);
    const data = { account: target.account, password: await hashPassword(input.password) };
    await insertCredentialChange(ctx.db, target, 'password', ctx.now, ctx.now);
    await enqueue(ctx.db, { type: 'user.password', refType: 'user', refId: target.id, data, now: ctx.now });
    return {
      data: rowOf(target),
      ...warnWeak(input.password, target.account),
      subject: subjectOf(target),
      after: { kind: 'password' },
    };
  },
});

export const userRemark = defineAction<UserRemark, UserRow, UserRecord>({
  call: calls.remark,
  load: (ctx, { id }) => findUser(ctx, id),
  setting: { record: recordOf, isSet: (target, { remark }) => target.remark === remark },
  execute: async (ctx, input, target) => {
    if (!(await setRemark(ctx, target.id, input.remark))) throw refuse(refusals.notFound);
    const after = await mustFind(ctx, target.id);
    return {
      data: rowOf(after),
      subject: subjectOf(after),
      before: { remark: target.remark },
      after: { remark: after.remark },
    };
  },
});

export const userNoteAdd = defineAction<UserNote, NoteRow, UserRecord>({
  call: calls.noteAdd,
  load: (ctx, { id }) => findUser(ctx, id),
  execute: async (ctx, input, target) => {
    const id = await insertNote(ctx, target.id, input.text);
    const created = requireFound(id === undefined ? undefined : await findNote(ctx, id));
    return { data: created, subject: subjectOf(target), after: { noteId: created.id, text: created.text } };
  },
});

export async function userAsset(ctx: Ctx, input: AssetInput): Promise<AssetRow[]> {
  const user = await mustFind(ctx, input.id);
  return findAssets(ctx, user.id, input.platform);
}

/** Balances of a user at a past moment, valued at the prices of that moment. */
export async function userBalance(ctx: Ctx, input: UserBalance): Promise<AssetRow[]> {
  const user = await mustFind(ctx, input.id);
  return fetchAssetsAt(ctx, user.id, input.at, input.platform);
}
