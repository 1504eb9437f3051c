import type { ActionInput, ReasonInput } from '@hengtai/contract/wire/schema';
import { ABILITY, ADMIN_GRANTED, type Ability, abilityLabels } from '@hengtai/contract/authority/ability';
import { agent as calls } from '@hengtai/contract/people/agent/calls';
import type { AgentAdd, AgentPassword, AgentRemark, AgentRow, AgentState } from '@hengtai/contract/people/agent/schema';
import { isGuardedAbility } from '@hengtai/contract/authority/guards';
import { refusals } from '@hengtai/contract/wire/refusals';
import { enabledLabels } from '@hengtai/contract/wire/switches';
import { type Ctx, can } from '../../../app/context.ts';
import { lockTree } from '../../../database/tree.ts';
import { type ApprovedRequest, type ActionResult, refuseAndCommit, defineAction } from '../../../actions/action.ts';
import { saveOfRecord } from '../../../actions/save.ts';
import { type CredentialKind, resetFactors } from '../../house/session/credential.steps.ts';
import { refuse } from '../../../app/refuse.ts';
import { AGENTS_ADDED, TAKEN_ACCOUNTS, countUse, removeUse } from '../../../authority/operator-rate.store.ts';
import { hashPassword } from '../../../host/password.ts';
import { refuseWeak } from '../../../authority/password-rules.ts';
import { setPassword } from '../../house/session/login.store.ts';
import { endSessionsOf } from '../../../authority/session.store.ts';
import {
  announceApprover,
  checkReset,
  findDescendant,
  isHolder,
  mustFind,
  previewAgent,
  recordOf,
  recordUncheckedControl,
  requireDescendant,
  resetGuard,
  subjectOf,
} from './agent-guard.ts';
import { followLoss } from './agent-tree.store.ts';
import { grantAbility, revokeAbility } from './agent-grant.store.ts';
import { findAgentByAccount, insertAgent, setEnabled, setRemark, widenScope } from './agent.store.ts';

/** Adds an agent that may log in and holds no other ability. */
export const agentAdd = defineAction<AgentAdd, AgentRow, { id: number }>({
  call: calls.add,
  validate: ({ password, account }) => refuseWeak('password', password, account),
  load: async (ctx, input) =>
    input.parentAccount
      ? requireDescendant(ctx, await findAgentByAccount(ctx, input.parentAccount))
      : { id: ctx.operator.id },
  execute: async (ctx, input, parent) => {
    await countUse(ctx, AGENTS_ADDED);
    const passwordHash = await hashPassword(input.password);
    await countUse(ctx, TAKEN_ACCOUNTS);
    const id = await insertAgent(ctx.db, {
      account: input.account,
      parentId: parent.id,
      passwordHash,
      remark: input.remark ?? '',
      createdAt: ctx.now,
      now: ctx.now,
    });
    if (id === undefined) return refuseAndCommit(refuse(refusals.accountTaken));
    await removeUse(ctx, TAKEN_ACCOUNTS);
    await recordUncheckedControl(ctx, id, 'made');
    const created = await mustFind(await widenScope(ctx, id), id);
    return {
      data: created,
      subject: subjectOf(created),
      after: { account: created.account, parent: parent.id, remark: created.remark },
    };
  },
});

/** Sets an agent's login (type 0) or one of its abilities. An operator sets only abilities it holds, on descendants. */
export const agentState = defineAction<AgentState, AgentRow, AgentRow>({
  call: calls.state,
  authorize: (ctx, input) => {
    const ability = input.type as Ability;
    if (ability === ABILITY.enabled) return;
    if (!can(ctx.operator, ability)) throw refuse(refusals.forbidden);
    if (ADMIN_GRANTED.includes(ability) && !ctx.operator.top) throw refuse(refusals.forbidden);
  },
  load: findWithTreeLock,
  check: (_ctx, target) => {
    if (target.depth === 0) throw refuse(refusals.forbidden);
  },
  setting: { record: recordOf, isSet: (target, { type, state }) => stateOf(target, type) === state },
  save: saveOfRecord<AgentState, AgentRow, Grant>({
    line: ({ id }, { type }) => `agent.grant:${id}:${type}`,
    title: ({ account, id }) => `代理 ${account}（${id}）`,
    words: (_ctx, _target, { type: ability }) => ({
      names: { type: '权限' },
      texts: {
        type: (type: Ability) => (type === ABILITY.enabled ? '登录' : abilityLabels[type]),
        state: (state: number) =>
          ability === ABILITY.enabled ? enabledLabels[state === 1 ? 1 : 0] : state === 1 ? '有' : '无',
      },
    }),
    before: (target, { type }) => ({ type, state: stateOf(target, type) }),
    after: (_target, { type, state }) => ({ type, state }),
    loosens: (_before, after, target) =>
      after?.state === 1 && (isGuardedAbility(after.type) || (after.type === ABILITY.enabled && isHolder(target))),
  }),
  guard: {
    subject: subjectOf,
    preview: (ctx, { id, type }) =>
      previewAgent(ctx, id, type === ABILITY.enabled ? '重新启用' : `授予权限：${abilityLabels[type as Ability]}`),
  },
  execute: changeAbility,
});

/** The login (type 0) or an ability of an agent: 1 on, 0 off. */
const stateOf = ({ state, abilities }: AgentRow, type: number): number =>
  type === ABILITY.enabled ? state : Number(abilities.includes(type));

interface Grant {
  type: number;
  state: number;
}

/** A revocation changes the whole subtree, so it takes the exclusive tree lock against concurrent grants. */
async function findWithTreeLock(
  ctx: Ctx,
  input: Pick<AgentState, 'id' | 'type' | 'state'>,
): Promise<AgentRow | undefined> {
  if (input.type !== ABILITY.enabled && input.state === 0) await lockTree(ctx.db, 'exclusive');
  return findDescendant(ctx, input);
}

async function changeAbility(
  ctx: Ctx,
  input: AgentState,
  target: AgentRow,
  approved?: ApprovedRequest,
): Promise<ActionResult<AgentRow>> {
  const changed = await switchAbility(ctx, input);
  if (input.state === 1 && input.type !== ABILITY.enabled && changed.length > 0) {
    await recordUncheckedControl(ctx, target.id, 'granted', approved);
    if (input.type === ABILITY.approval) await announceApprover(ctx, target);
  }
  await endSessionsOf(ctx.db, changed, 'ability', ctx.now);
  if (input.state === 0) await followLoss(ctx);
  const after = await mustFind(ctx, target.id);
  return {
    data: after,
    subject: subjectOf(target),
    before: auditedFields(target),
    after: { ...auditedFields(after), reached: changed },
  };
}

/** Grants (1) or revokes (0) the subscription ability. The specification has own calls for it. */
const defineIeoReview = (call: typeof calls.ieoReviewOpen | typeof calls.ieoReviewClose, state: 0 | 1) =>
  defineAction<ActionInput, AgentRow, AgentRow>({
    call,
    authorize: (ctx) => {
      if (!can(ctx.operator, ABILITY.subscription)) throw refuse(refusals.forbidden);
    },
    load: (ctx, { id }) => findWithTreeLock(ctx, { id, type: ABILITY.subscription, state }),
    setting: { record: recordOf, isSet: (target) => stateOf(target, ABILITY.subscription) === state },
    execute: async (ctx, { id }, target) => changeAbility(ctx, { id, type: ABILITY.subscription, state }, target),
  });
export const agentIeoReviewOpen = defineIeoReview(calls.ieoReviewOpen, 1);
export const agentIeoReviewClose = defineIeoReview(calls.ieoReviewClose, 0);

/** Sets an agent's password and ends its sessions. An agent that the platform registered can then log in. */
export const agentPwdUpdate = defineAction<AgentPassword, AgentRow, AgentRow>({
  call: calls.pwdUpdate,
  load: findDescendant,
  check: (ctx, target, { password }, approved) => {
    checkReset(ctx, target, '密码');
    // An approval stores no password, so there is nothing to check.
    if (!approved) refuseWeak('password', password, target.account);
  },
  guard: {
    ...resetGuard('重置密码（通过后由复核员转交一次性链接）'),
    withoutSecrets: ({ password: _password, ...input }) => input as AgentPassword,
  },
  execute: async (ctx, { password }, target, approved) => {
    // The agent sets its password with the one-time link that the checker hands over.
    if (approved) return { data: target, subject: subjectOf(target) };
    await recordUncheckedControl(ctx, target.id, 'reset');
    const hash = await hashPassword(password);
    await setPassword(ctx.db, { id: target.id, hash, by: 'other', now: ctx.now });
    await endSessionsOf(ctx.db, [target.id], 'password', ctx.now);
    return { data: await mustFind(ctx, target.id), subject: subjectOf(target) };
  },
});

/** Removes the one-time codes and passkeys of an agent and ends its sessions. The next login needs only the password. */
export const agentOtpReset = (kinds: readonly CredentialKind[]) =>
  defineAction<ReasonInput, AgentRow, AgentRow>({
    call: calls.otpReset,
    load: findDescendant,
    check: (ctx, target) => {
      checkReset(ctx, target, '验证码与通行密钥');
      if (target.otp === 0) throw refuse(refusals.otpDisabled);
    },
    guard: resetGuard('重置验证码与通行密钥'),
    execute: async (ctx, _input, target, approved) => {
      const removed = await resetFactors(kinds, ctx.db, target.id, ctx.now);
      if (!removed) throw refuse(refusals.otpDisabled);
      await recordUncheckedControl(ctx, target.id, 'reset', approved);
      await endSessionsOf(ctx.db, [target.id], 'otp', ctx.now);
      return {
        data: await mustFind(ctx, target.id),
        subject: subjectOf(target),
        before: { otp: 1, ...removed },
        after: { otp: 0 },
      };
    },
  });

export const agentRemark = defineAction<AgentRemark, AgentRow, AgentRow>({
  call: calls.remark,
  load: findDescendant,
  setting: { record: recordOf, isSet: (target, { remark }) => target.remark === remark },
  execute: async (ctx, { remark }, target) => {
    await setRemark(ctx.db, target.id, remark, ctx.now);
    return {
      data: await mustFind(ctx, target.id),
      subject: subjectOf(target),
      before: { remark: target.remark },
      after: { remark },
    };
  },
});

/** @returns the ids of the changed agents, which lose their sessions */
async function switchAbility(ctx: Ctx, { id, type, state }: AgentState): Promise<number[]> {
  if (type === ABILITY.enabled) return setEnabled(ctx.db, id, state, ctx.now);
  if (state === 0) return revokeAbility(ctx.db, id, type, ctx.now);
  return grantAbility(ctx.db, { id, ability: type, by: ctx.operator.account, now: ctx.now });
}

const auditedFields = (agent: AgentRow) => ({ state: agent.state, abilities: agent.abilities });
