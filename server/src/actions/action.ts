import { SUBMITTED } from '@hengtai/contract/desk/approval/calls';
import { CODE, type Code } from '@hengtai/contract/wire/envelope';
import type { Call, CallSpec } from '@hengtai/contract/wire/endpoint';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from './audit.store.ts';
import type { ActionCtx, App, Caller, Ctx } from '../app/context.ts';
import { AccountClosed } from '../books/ledger/post.ts';
import { type Refused, refusalOf, refuse } from '../app/refuse.ts';
import { inSpan } from '../host/trace.ts';
import { type Subject, auditReason, auditSubject } from './action-audit.ts';
import { actionNameOf } from './action-name.ts';
import { withAuthority } from '../authority/authority.ts';
import { requireFreshCode } from '../authority/fresh.ts';
import { type Answer, type Key, claimKey, storeAnswer } from './idempotency.ts';
import type { Preview } from './preview.ts';
import { NO_PRICE, type PolicyValue } from './policy.store.ts';
import { type ApprovalRequest, requestApproval } from './request-approval.ts';
import type { JudgedSave, Save } from './save.ts';
import { type Setting, findRecordAsSet, markUnchanged, noEffect, requireReadOnly } from './setting.ts';
import { withChangesNamed } from './stale-save.ts';

/** The result of an action. */
export interface ActionResult<O> {
  data: O;
  msg?: string;
  subject?: Subject;
  before?: unknown;
  after?: unknown;
  /** Set when the transaction commits although the answer is a refusal, as for an approval whose execution failed. */
  refusal?: Refused;
}

/** A refusal that commits its transaction, so that counted attempts and the audit row persist. */
export const refuseAndCommit = (refusal: Refused): ActionResult<never> => ({ data: undefined as never, refusal });

/** The open approval that an action is executed for. */
export interface ApprovedRequest {
  id: number;
  makerId: number;
  maker: string;
  checker: string;
}

/** Who asked for an action, and whether its target is read in a read-only snapshot, where nothing may be locked. */
export interface Loading {
  makerId: number;
  reading: boolean;
}

/**
 * An action of an operator as a named value. HTTP, bulk calls and approvals run the same `execute`.
 *
 * `load` finds the target inside the operator's scope; undefined becomes a 404. `check` refuses by the state of the target
 * before the policy is evaluated. `execute` must repeat that check with conditional writes, because the state may change.
 */
export interface Action<I, O, T> {
  call: CallSpec & Call<I, O>;
  /** Refuses invalid combinations of fields (422), before every other check. */
  validate?: (input: I) => void;
  /** Refuses by an ability that depends on the input (403), before the target is loaded. */
  authorize?: (ctx: Ctx, input: I) => void;
  load?: (ctx: Ctx, input: I, how: Loading) => Promise<T | undefined>;
  check?: (ctx: Ctx, target: T, input: I, approved?: ApprovedRequest) => void;
  policy?: {
    subject: (target: T) => Subject;
    /** The value now, or at the request if that was larger; null when it has no price. */
    amount: (target: T, input: I) => PolicyValue | null;
    /** The least number of checkers, whatever the policy says. Refuses if the maker has to do something first. */
    minimum?: (ctx: Ctx, target: T) => Promise<number>;
    /** Runs after the approval was opened, for example to move the target into its state of waiting. */
    submit?: (ctx: Ctx, target: T, approvalId: number) => Promise<void>;
    /** Runs when a checker passes the approval, before it counts. Refuses if the checker has to do something first. */
    countersign?: (ctx: Ctx, approvalId: number) => Promise<void>;
    /** Moves the target back after the approval was rejected, expired or failed. */
    release?: (ctx: Pick<Ctx, 'db' | 'now'>, targetId: number) => Promise<void>;
    /** What the checker sees before the decision. Runs in a read-only snapshot, so it must not lock rows. */
    preview?: (ctx: Ctx, input: I, makerId?: number) => Promise<Preview>;
  };
  /** Required when `callGuards` lists the call as loosening and no policy covers it. */
  guard?: Guard<I, T>;
  /** Of a call that sets values. */
  setting?: Setting<I, O, T>;
  /** Of a save of settings or master data. What it loosens decides instead of `guard.loosens`. */
  save?: Save<I, T>;
  execute: (ctx: ActionCtx, input: I, target: T, approved?: ApprovedRequest) => Promise<ActionResult<O>>;
}

/** The requirement of a checker while four-eyes are locked, regardless of the policies. */
export interface Guard<I, T> {
  /** Whether this input weakens a protection. Without it and without `save`, every input does. */
  loosens?: (ctx: ActionCtx, target: T, input: I) => boolean | Promise<boolean>;
  /** Required when the action has no policy. */
  subject?: (target: T, ctx: Ctx, input: I) => Subject;
  /** The input without its secrets, as the approval stores it. */
  withoutSecrets?: (input: I) => I;
  /** The approval allows the maker one call instead of executing the action. */
  permits?: true;
  preview?: (ctx: Ctx, input: I, makerId?: number) => Promise<Preview>;
}

/** An action without the type of its target, so that actions of all modules fit one registry. */
export interface RegisteredAction<I, O> {
  name: string;
  call: CallSpec & Call<I, O>;
  validate: (input: I) => void;
  /** Runs the action inside the caller's transaction: target, policy, execution, audit row. */
  perform: (ctx: ActionCtx, input: I, readOnly?: object) => Promise<Answer>;
  /** Executes an approved action and repeats every check. The caller writes the audit row. */
  executeApproved: (ctx: ActionCtx, input: I, approved: ApprovedRequest) => Promise<ActionResult<O>>;
  /** Value of an approved action now. Repeats every check. */
  valueOf: (ctx: Ctx, input: I, approved: ApprovedRequest) => Promise<PolicyValue>;
  /** Passing the approval executes nothing; it allows the maker one call. */
  permits: boolean;
  /** What the input would make of the records now; undefined for an action that is not a save. `reading` takes no locks. */
  judgeSave: ((ctx: Ctx, input: I, reading?: boolean) => Promise<JudgedSave>) | undefined;
  /** Performs the input of an earlier request on the records as they are now. */
  performAgain: (ctx: ActionCtx, input: I) => Promise<Answer>;
  /** Locked four-eyes can require a checker. The approved action then runs with the maker as operator, so its checks apply to the maker. */
  guarded: boolean;
  /** What the checker sees; undefined when the bare input is enough. */
  preview: ((ctx: Ctx, input: I, makerId?: number) => Promise<Preview>) | undefined;
  /** Moves the target back after its approval was rejected, expired or failed. */
  release: (ctx: Pick<Ctx, 'db' | 'now'>, targetId: number) => Promise<void>;
  /** Refuses if the checker has to do something before its approval counts. */
  countersign: (ctx: Ctx, approvalId: number) => Promise<void>;
}

/** Turns an action into one whose target type is hidden. Its `perform` throws `Refused` when a check fails. */
export function defineAction<I, O, T = undefined>(action: Action<I, O, T>): RegisteredAction<I, O> {
  const name = actionNameOf(action.call);
  const { save } = action;
  const load = async (ctx: Ctx, input: I, approved?: ApprovedRequest, reading = false): Promise<T> => {
    action.authorize?.(ctx, input);
    const target = await action.load?.(ctx, input, { makerId: approved?.makerId ?? ctx.operator.id, reading });
    if (action.load && target === undefined) throw refuse(refusals.notFound);
    // Without `load` the type T is undefined, so the cast is correct.
    return target as T;
  };
  const check = async (ctx: Ctx, target: T, input: I, approved?: ApprovedRequest, isSet = false): Promise<void> => {
    const refused = refusalOf(() => action.check?.(ctx, target, input, approved));
    // A forbidden action is refused without asking for a code. Other refusals come after the code: without a fresh code,
    // a caller must not learn the state of the target.
    if (refused?.refusal.code === CODE.forbidden) throw refused;
    // An approved action needs no further code: the maker gave one for the request, the checker one for the approval.
    if (!approved) await requireFreshCode(ctx, action.call);
    if (refused && !(isSet && refused.refusal.code === CODE.conflict)) throw refused;
  };
  const performOn = async (ctx: ActionCtx, target: T, input: I, readOnly?: object): Promise<Answer> => {
    const record = await findRecordAsSet(ctx, action.setting, target, input);
    await check(ctx, target, input, undefined, record !== undefined);
    if (readOnly) await requireReadOnly(ctx, action.setting, target, readOnly, record !== undefined);
    if (record) return auditAndAnswer(ctx, action.call, input, noEffect(record));
    const approval = await submitForApproval(ctx, action, target, input);
    if (approval !== undefined) return { code: CODE.submitted, msg: SUBMITTED, data: approval };
    return auditAndAnswer(ctx, action.call, input, await action.execute(ctx, input, target));
  };
  const renew = (input: I, target: T): I => save?.renew(input, target) ?? input;
  return {
    name,
    call: action.call,
    validate: (input) => action.validate?.(input),
    perform: (ctx, input, readOnly) =>
      withChangesNamed(ctx, async () => performOn(ctx, await load(ctx, input), input, readOnly)),
    performAgain: (ctx, input) =>
      withChangesNamed(ctx, async () => {
        const target = await load(ctx, input);
        return performOn(ctx, target, renew(input, target));
      }),
    executeApproved: async (ctx, input, approved) => {
      const target = await load(ctx, input, approved);
      const renewed = renew(input, target);
      const record = await findRecordAsSet(ctx, action.setting, target, renewed);
      await check(ctx, target, renewed, approved, record !== undefined);
      return record ? noEffect(record) : action.execute(ctx, renewed, target, approved);
    },
    valueOf: async (ctx, input, approved) => {
      const target = await load(ctx, input, approved);
      const renewed = renew(input, target);
      await check(ctx, target, renewed, approved);
      return action.policy?.amount(target, renewed) ?? NO_PRICE;
    },
    permits: action.guard?.permits ?? false,
    guarded: action.guard !== undefined,
    judgeSave:
      save && (async (ctx, input, reading) => save.judge(ctx, await load(ctx, input, undefined, reading), input)),
    preview: action.policy?.preview ?? action.guard?.preview,
    release: async (ctx, targetId) => action.policy?.release?.(ctx, targetId),
    countersign: async (ctx, approvalId) => action.policy?.countersign?.(ctx, approvalId),
  };
}

async function submitForApproval<I, O, T>(
  ctx: ActionCtx,
  action: Action<I, O, T>,
  target: T,
  input: I,
): Promise<unknown> {
  const { policy, guard } = action;
  const policyName = policy && action.call.approvable;
  if (!policyName && !guard) return undefined;
  const save = await action.save?.judge(ctx, target, input);
  const request: ApprovalRequest = {
    action: actionNameOf(action.call),
    ...(policyName && { policy: policyName }),
    auditReason: auditReason(action.call, input),
    subject: subjectOf(action, target, ctx, input),
    value: policy?.amount(target, input) ?? NO_PRICE,
    ...(policy?.minimum && { minimum: await policy.minimum(ctx, target) }),
    input: guard?.withoutSecrets?.(input) ?? input,
    ...(save && { save }),
    ...(guard && {
      guard: {
        loosens: () => save?.loosens ?? guard.loosens?.(ctx, target, input) ?? true,
        permits: guard.permits ?? false,
      },
    }),
  };
  return requestApproval(ctx, request, async (id) => policy?.submit?.(ctx, target, id));
}

function subjectOf<I, O, T>(action: Action<I, O, T>, target: T, ctx: Ctx, input: I): Subject {
  const found = action.policy?.subject(target) ?? action.guard?.subject?.(target, ctx, input);
  if (!found) throw new Error(`The action ${actionNameOf(action.call)} returned no target for its approval.`);
  return found;
}

async function auditAndAnswer(
  ctx: Ctx,
  call: CallSpec,
  input: unknown,
  result: ActionResult<unknown>,
): Promise<Answer> {
  const code: Code = result.refusal?.refusal.code ?? CODE.ok;
  await recordAudit(ctx.db, ctx, {
    ...auditSubject(result.subject),
    action: actionNameOf(call),
    result: code,
    before: result.before,
    after: markUnchanged(result),
    reason: auditReason(call, input),
  });
  if (result.refusal) return { code, msg: result.refusal.message, data: result.refusal.data };
  return { code, msg: result.msg ?? '操作成功', data: result.data };
}

/**
 * Runs one action in one transaction: authority, idempotency key, target, policy, effect, audit row and stored answer.
 *
 * @param readOnly fields of the record as the caller read it, which the action cannot set
 * @throws Refused when any check fails; nothing is committed then
 */
export async function performAction<I, O>(
  app: App,
  caller: Caller,
  action: RegisteredAction<I, O>,
  input: I,
  key: Key | undefined,
  readOnly?: object,
): Promise<Answer> {
  try {
    return await inSpan(`action ${action.name}`, { 'hengtai.action': action.name }, () =>
      withAuthority(app, caller, action.call, (ctx) => performOnce({ ...ctx, app }, action, input, key, readOnly)),
    );
  } catch (error) {
    if (error instanceof AccountClosed) throw refuse(refusals.userDeleted);
    throw error;
  }
}

/** Performs the action, or returns the answer stored for its key. Secrets are removed before the answer is stored. */
async function performOnce<I, O>(
  ctx: ActionCtx,
  action: RegisteredAction<I, O>,
  input: I,
  key: Key | undefined,
  readOnly: object | undefined,
): Promise<Answer> {
  const stored = key && (await claimKey(ctx, key));
  if (stored) return stored;
  const answer = await action.perform(ctx, input, readOnly);
  if (key && (answer.code === CODE.ok || answer.code === CODE.submitted))
    await storeAnswer(ctx, key, withoutSecret(action.call, answer));
  return answer;
}

/** The answer as it is stored for repeated calls with the same key: only the first caller may read a secret. */
function withoutSecret({ secret, secretField }: CallSpec, answer: Answer): Answer {
  if (secret && answer.code === CODE.ok) return { ...answer, data: null };
  if (secretField === undefined || typeof answer.data !== 'object' || answer.data === null) return answer;
  return { ...answer, data: { ...answer.data, [secretField]: undefined } };
}
