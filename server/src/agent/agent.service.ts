import { ABILITY, ADMIN_GRANTED, type Ability, abilityLabels } from '@hengtai/contract/ability';
import { agent as calls } from '@hengtai/contract/agent';
import type {
  AgentAdd,
  AgentDo,
  AgentOtpReset,
  AgentPassword,
  AgentRemark,
  AgentRow,
  AgentState,
} from '@hengtai/contract/agent.schema';
import { isGuardedAbility } from '@hengtai/contract/four-eyes';
import { refusals } from '@hengtai/contract/refusals';
import { type Ctx, can } from '../context.ts';
import { lockTree } from '../db/tree.ts';
import { type Approved, type Done, committedRefusal, defineAction } from '../http/action.ts';
import { resetOtp } from '../otp/otp.store.ts';
import { refuse } from '../refuse.ts';
import { unassignLost } from '../support/assignee.store.ts';
import { AGENTS_ADDED, TAKEN_ACCOUNTS, countUse, uncountUse } from '../session/operator-rate.store.ts';
import { hashPassword } from '../session/password.ts';
import { refuseWeak } from '../session/password-rules.ts';
import { setPassword } from '../session/login.store.ts';
import { endSessionsOf } from '../session/session.store.ts';
import { announceApprover, isHolder, previewAgent, recordAlone, resetGuard, subjectOf } from './agent-guard.ts';
import { grantAbility, revokeAbility } from './agent-grant.store.ts';
import {
  findAgent,
  findAgentByAccount,
  insertAgent,
  isUnder,
  setEnabled,
  setRemark,
  widenScope,
} from './agent.store.ts';

/** A new agent may log in and has nothing else. */
export const agentAdd = defineAction<AgentAdd, AgentRow, { id: number }>({
  name: 'agent.add',
  call: calls.add,
  validate: ({ password, account }) => refuseWeak('password', password, account),
  load: async (ctx, input) =>
    input.parentAccount ? under(ctx, await findAgentByAccount(ctx, input.parentAccount)) : { id: ctx.operator.id },
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
    if (id === undefined) return committedRefusal(refuse(refusals.accountTaken));
    await uncountUse(ctx, TAKEN_ACCOUNTS);
    await recordAlone(ctx, id, 'made');
    const made = await mustFind(await widenScope(ctx, id), id);
    return {
      data: made,
      subject: subjectOf(made),
      after: { account: made.account, parent: parent.id, remark: made.remark },
    };
  },
});

/** Switches an agent's login (type 0) or one of its abilities; only downwards, and only what one holds. */
export const agentState = defineAction<AgentState, AgentRow, AgentRow>({
  name: 'agent.state',
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
  guard: {
    loosens: (_ctx, target, { type, state }) =>
      state === 1 && (isGuardedAbility(type) || (type === ABILITY.enabled && isHolder(target))),
    subject: subjectOf,
    preview: (ctx, { id, type }) =>
      previewAgent(ctx, id, type === ABILITY.enabled ? '重新启用' : `授予权限：${abilityLabels[type as Ability]}`),
  },
  execute: changeAbility,
});

/** Revoking reaches the whole subtree, so nobody may grant in it meanwhile. */
async function findWithTreeLock(
  ctx: Ctx,
  input: Pick<AgentState, 'id' | 'type' | 'state'>,
): Promise<AgentRow | undefined> {
  if (input.type !== ABILITY.enabled && input.state === 0) await lockTree(ctx.db, 'exclusive');
  return strictlyBelow(ctx, input);
}

async function changeAbility(
  ctx: Ctx,
  input: AgentState,
  target: AgentRow,
  approved?: Approved,
): Promise<Done<AgentRow>> {
  const changed = await switchAbility(ctx, input);
  if (input.state === 1 && input.type !== ABILITY.enabled && changed.length > 0) {
    await recordAlone(ctx, target.id, 'granted', approved);
    if (input.type === ABILITY.approval) await announceApprover(ctx, target);
  }
  await endSessionsOf(ctx.db, changed, 'ability', ctx.now);
  if (input.state === 0) await unassignLost(ctx);
  const after = await mustFind(ctx, target.id);
  return {
    data: after,
    subject: subjectOf(target),
    before: shown(target),
    after: { ...shown(after), reached: changed },
  };
}

/** The right to decide subscriptions, by the names that the specification gives the switch. */
const ieoReview = (call: typeof calls.ieoReviewOpen | typeof calls.ieoReviewClose, state: 0 | 1) =>
  defineAction<AgentDo, AgentRow, AgentRow>({
    name: state === 1 ? 'agent.ieoReviewOpen' : 'agent.ieoReviewClose',
    call,
    authorize: (ctx) => {
      if (!can(ctx.operator, ABILITY.subscription)) throw refuse(refusals.forbidden);
    },
    load: (ctx, { id }) => findWithTreeLock(ctx, { id, type: ABILITY.subscription, state }),
    execute: async (ctx, { id }, target) => changeAbility(ctx, { id, type: ABILITY.subscription, state }, target),
  });
export const agentIeoReviewOpen = ieoReview(calls.ieoReviewOpen, 1);
export const agentIeoReviewClose = ieoReview(calls.ieoReviewClose, 0);

/** Whose word or whose sight reaches further than their own tree: resetting how they log in would be becoming them. */
const ADMINS_TO_RESET: readonly number[] = [ABILITY.approval, ABILITY.headquarters];

function checkReset(ctx: Ctx, { abilities }: AgentRow, what: string): void {
  const guarded = ADMINS_TO_RESET.some((ability) => abilities.includes(ability));
  if (guarded && !ctx.operator.top) throw refuse(refusals.forbidden, `复核员与总部人员的${what}只能由顶级管理员重置`);
}

/** Gives an agent a new password; its sessions end. One that the platform registered can log in from then on. */
export const agentPwdUpdate = defineAction<AgentPassword, AgentRow, AgentRow>({
  name: 'agent.pwdUpdate',
  call: calls.pwdUpdate,
  load: strictlyBelow,
  check: (ctx, target, { password }, approved) => {
    checkReset(ctx, target, '密码');
    // The input of an approval has no password.
    if (!approved) refuseWeak('password', password, target.account);
  },
  guard: {
    ...resetGuard('重置密码（通过后由复核员转交一次性链接）'),
    withoutSecrets: ({ password: _password, ...input }) => input as AgentPassword,
  },
  execute: async (ctx, { password }, target, approved) => {
    // The owner sets the password by the link that the checker gets.
    if (approved) return { data: target, subject: subjectOf(target) };
    await recordAlone(ctx, target.id, 'reset');
    const hash = await hashPassword(password);
    await setPassword(ctx.db, { id: target.id, hash, by: 'other', now: ctx.now });
    await endSessionsOf(ctx.db, [target.id], 'password', ctx.now);
    return { data: await mustFind(ctx, target.id), subject: subjectOf(target) };
  },
});

/** Takes the one-time codes away from an agent who lost them; its sessions end, and its password alone opens the next. */
export const agentOtpReset = defineAction<AgentOtpReset, AgentRow, AgentRow>({
  name: 'agent.otpReset',
  call: calls.otpReset,
  load: strictlyBelow,
  check: (ctx, target) => {
    checkReset(ctx, target, '一次性验证码');
    if (target.otp === 0) throw refuse(refusals.otpDisabled);
  },
  guard: resetGuard('重置一次性验证码'),
  execute: async (ctx, _input, target, approved) => {
    if (!(await resetOtp(ctx.db, target.id, ctx.now))) throw refuse(refusals.otpDisabled);
    await recordAlone(ctx, target.id, 'reset', approved);
    await endSessionsOf(ctx.db, [target.id], 'otp', ctx.now);
    return {
      data: await mustFind(ctx, target.id),
      subject: subjectOf(target),
      before: { otp: 1 },
      after: { otp: 0 },
    };
  },
});

export const agentRemark = defineAction<AgentRemark, AgentRow, AgentRow>({
  name: 'agent.remark',
  call: calls.remark,
  load: strictlyBelow,
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

/** An agent that stands below the operator; nobody changes themselves or an agent above them. */
async function strictlyBelow(ctx: Ctx, { id }: { id: number }): Promise<AgentRow | undefined> {
  return id === ctx.operator.id ? undefined : under(ctx, await findAgent(ctx, id));
}

/** The head office sees the whole tree, but like everybody it changes agents only below itself. */
async function under<T extends { id: number }>(ctx: Ctx, found: T | undefined): Promise<T | undefined> {
  if (found && !(await isUnder(ctx.db, ctx.operator.id, found.id))) throw refuse(refusals.forbidden);
  return found;
}

/** @returns whose sessions end by it: nobody's where nothing changed */
async function switchAbility(ctx: Ctx, { id, type, state }: AgentState): Promise<number[]> {
  if (type === ABILITY.enabled) return setEnabled(ctx.db, id, state, ctx.now);
  if (state === 0) return revokeAbility(ctx.db, id, type, ctx.now);
  return grantAbility(ctx.db, { id, ability: type, by: ctx.operator.account, now: ctx.now });
}

async function mustFind(ctx: Ctx, id: number): Promise<AgentRow> {
  const found = await findAgent(ctx, id);
  if (!found) throw refuse(refusals.notFound);
  return found;
}

const shown = (agent: AgentRow) => ({ state: agent.state, abilities: agent.abilities });
