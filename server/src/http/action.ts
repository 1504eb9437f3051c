import { SUBMITTED } from '@hengtai/contract/approval';
import { CODE, type Code } from '@hengtai/contract/envelope';
import type { Call, CallSpec } from '@hengtai/contract/endpoint';
import { refusals } from '@hengtai/contract/refusals';
import { recordAudit } from '../audit/audit.store.ts';
import type { App, Caller, Ctx } from '../context.ts';
import { AccountClosed } from '../ledger/post.ts';
import { Refused, refuse } from '../refuse.ts';
import { type Subject, auditReason, auditSubject } from './action-audit.ts';
import { withAuthority } from './authority.ts';
import { requireFreshCode } from './fresh.ts';
import { type Answer, type Key, claimKey, keepAnswer } from './idempotency.ts';
import type { Preview } from './preview.ts';

/** What an action did. */
export interface Done<O> {
  data: O;
  msg?: string;
  subject?: Subject;
  before?: unknown;
  after?: unknown;
  /** The action itself committed what it has to say, but the answer is no success (an approval whose execution failed). */
  refusal?: Refused;
}

/** An answer that is a refusal, whose transaction is committed: what was counted stays counted, and the audit row says it. */
export const committedRefusal = (refusal: Refused): Done<never> => ({ data: undefined as never, refusal });

/** The open approval that an action is executed for. */
export interface Approved {
  id: number;
  makerId: number;
  maker: string;
  checker: string;
}

/**
 * Something an operator does, as a named value: HTTP, bulk calls and approvals all run the same `execute`.
 *
 * `load` finds the target inside the operator's scope (absent = 404). `check` refuses by the target's state before a
 * policy is asked; `execute` decides again by conditional writes.
 */
export interface Action<I, O, T> {
  name: string;
  call: CallSpec & Call<I, O>;
  /** Refuses what only the fields together make wrong (422), before anything else is asked. */
  validate?: (input: I) => void;
  /** Refuses by an ability that depends on the input (403), before the target is looked up. */
  authorize?: (ctx: Ctx, input: I) => void;
  load?: (ctx: Ctx, input: I) => Promise<T | undefined>;
  check?: (ctx: Ctx, target: T, input: I, approved?: Approved) => void;
  policy?: {
    subject: (target: T) => Subject;
    /** Value in USDT of what is asked for, null when it has no price. */
    amount: (target: T, input: I) => string | null;
    /** Moves the target into its waiting state; absent when the target has none. */
    submit?: (ctx: Ctx, target: T) => Promise<void>;
    /** Moves it back when the approval was rejected, expired or could not be executed. */
    release?: (ctx: Pick<Ctx, 'db' | 'now'>, targetId: number) => Promise<void>;
    /** What the second person is shown before it decides; runs in a read-only snapshot, so it takes no locks. */
    preview?: (ctx: Ctx, input: I, makerId?: number) => Promise<Preview>;
  };
  /** Needed where `callGuards` lists the call as loosening and no policy covers it. */
  guard?: Guard<I, T>;
  execute: (ctx: Ctx, input: I, target: T, approved?: Approved) => Promise<Done<O>>;
}

/** What needs a second person while four-eyes are locked, whatever the policies say. */
export interface Guard<I, T> {
  /** Whether this input protects less than before; absent: always. */
  loosens?: (ctx: Ctx, target: T, input: I) => boolean | Promise<boolean>;
  /** Needed where the action has no policy. */
  subject?: (target: T, ctx: Ctx, input: I) => Subject;
  /** The input without its secrets, as the approval stores it. */
  withoutSecrets?: (input: I) => I;
  /** An approval permits the maker one call instead of executing it. */
  permits?: true;
  preview?: (ctx: Ctx, input: I, makerId?: number) => Promise<Preview>;
}

/** An action as the rest of the server knows it: what its target is made of stays its own matter. */
export interface SealedAction<I, O> {
  name: string;
  call: CallSpec & Call<I, O>;
  validate: (input: I) => void;
  /** The whole action inside the caller's transaction: target, policy, execution, audit. */
  perform: (ctx: Ctx, ask: AskApproval, input: I) => Promise<Answer>;
  /** The action that a second person approved, every check made again; what it answers is not audited here. */
  executeApproved: (ctx: Ctx, input: I, approved: Approved) => Promise<Done<O>>;
  /** An approval permits the maker one call; nothing is executed when it passes. */
  permits: boolean;
  /** Locked four-eyes can ask for a second person. Once approved it runs with the maker as operator, whom its checks ask about. */
  guarded: boolean;
  /** What the second person is shown; absent where the action says nothing of its own. */
  preview: ((ctx: Ctx, input: I, makerId?: number) => Promise<Preview>) | undefined;
  /** Puts the target back when its approval came to nothing. */
  release: (ctx: Pick<Ctx, 'db' | 'now'>, targetId: number) => Promise<void>;
}

/** What an approval needs to know of the action that waits for it. */
export interface Request {
  action: string;
  /** Absent where only locked four-eyes ask for a second person. */
  policy?: string;
  subject: Subject;
  amount: string | null;
  input: unknown;
  guard?: { loosens: () => boolean | Promise<boolean>; permits: boolean };
  auditReason: string;
}

/** Puts an action to a second person when its policy asks for that; undefined means that it may be executed at once. */
export type AskApproval = (ctx: Ctx, request: Request, submit: () => Promise<void>) => Promise<unknown>;

/** Closes an action over the type of its target. */
export function defineAction<I, O, T = undefined>(action: Action<I, O, T>): SealedAction<I, O> {
  const find = async (ctx: Ctx, input: I, approved?: Approved): Promise<T> => {
    action.authorize?.(ctx, input);
    const target = await action.load?.(ctx, input);
    if (action.load && target === undefined) throw refuse(refusals.notFound);
    const refused = refusalOf(() => action.check?.(ctx, target as T, input, approved));
    // What one may not do at all asks for no code; what is only too late does, or an old code would tell.
    if (refused?.refusal.code === CODE.forbidden) throw refused;
    // Who asked for an approved action has given a code then, and who approves it now, for the approval.
    if (!approved) requireFreshCode(ctx, action.call);
    if (refused) throw refused;
    // Without `load` the target's type is undefined, which is what it is.
    return target as T;
  };
  return {
    name: action.name,
    call: action.call,
    validate: (input) => action.validate?.(input),
    perform: async (ctx, ask, input) => {
      const target = await find(ctx, input);
      const asked = await askFor(ctx, ask, action, target, input);
      if (asked !== undefined) return { code: CODE.submitted, msg: SUBMITTED, data: asked };
      return answerTo(ctx, action, input, await action.execute(ctx, input, target));
    },
    executeApproved: async (ctx, input, approved) =>
      action.execute(ctx, input, await find(ctx, input, approved), approved),
    permits: action.guard?.permits ?? false,
    guarded: action.guard !== undefined,
    preview: action.policy?.preview ?? action.guard?.preview,
    release: async (ctx, targetId) => action.policy?.release?.(ctx, targetId),
  };
}

/** What a check refuses with; undefined when it does not. */
function refusalOf(check: () => void): Refused | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

async function askFor<I, O, T>(
  ctx: Ctx,
  ask: AskApproval,
  action: Action<I, O, T>,
  target: T,
  input: I,
): Promise<unknown> {
  const { policy, guard } = action;
  const name = policy && action.call.approvable;
  if (!name && !guard) return undefined;
  const request: Request = {
    action: action.name,
    ...(name && { policy: name }),
    auditReason: auditReason(action.call, input),
    subject: subjectOf(action, target, ctx, input),
    amount: policy?.amount(target, input) ?? null,
    input: guard?.withoutSecrets?.(input) ?? input,
    ...(guard && {
      guard: {
        loosens: () => guard.loosens?.(ctx, target, input) ?? true,
        permits: guard.permits ?? false,
      },
    }),
  };
  return ask(ctx, request, async () => policy?.submit?.(ctx, target));
}

function subjectOf<I, O, T>(action: Action<I, O, T>, target: T, ctx: Ctx, input: I): Subject {
  const found = action.policy?.subject(target) ?? action.guard?.subject?.(target, ctx, input);
  if (!found) throw new Error(`The action ${action.name} returned no target for its approval.`);
  return found;
}

async function answerTo(
  ctx: Ctx,
  { name: action, call }: { name: string; call: CallSpec },
  input: unknown,
  done: Done<unknown>,
): Promise<Answer> {
  const code: Code = done.refusal?.refusal.code ?? CODE.ok;
  await recordAudit(ctx.db, ctx, {
    ...auditSubject(done.subject),
    action,
    result: code,
    before: done.before,
    after: done.after,
    reason: auditReason(call, input),
  });
  if (done.refusal) return { code, msg: done.refusal.message, data: done.refusal.data };
  return { code, msg: done.msg ?? '操作成功', data: done.data };
}

/** Does one action: one transaction with the caller's authority, the key, the target, the policy, the effect, its audit row and its answer. */
export async function act<I, O>(
  app: App,
  caller: Caller,
  ask: AskApproval,
  action: SealedAction<I, O>,
  input: I,
  key: Key | undefined,
): Promise<Answer> {
  try {
    return await withAuthority(app, caller, action.call, (ctx) => once(ctx, ask, action, input, key));
  } catch (error) {
    if (error instanceof AccountClosed) throw refuse(refusals.userDeleted);
    throw error;
  }
}

/** The action, or the answer that its key got before; what only the first asker may read is not kept. */
async function once<I, O>(
  ctx: Ctx,
  ask: AskApproval,
  action: SealedAction<I, O>,
  input: I,
  key: Key | undefined,
): Promise<Answer> {
  const earlier = key && (await claimKey(ctx, key));
  if (earlier) return earlier;
  const answer = await action.perform(ctx, ask, input);
  const kept = withoutSecret(action.call, answer);
  if (key && (answer.code === CODE.ok || answer.code === CODE.submitted)) await keepAnswer(ctx, key, kept);
  return answer;
}

/** The answer as it is stored for a repeated call with the same key. */
function withoutSecret({ secret, secretField }: CallSpec, answer: Answer): Answer {
  if (secret && answer.code === CODE.ok) return { ...answer, data: null };
  if (secretField === undefined || typeof answer.data !== 'object' || answer.data === null) return answer;
  return { ...answer, data: { ...answer.data, [secretField]: undefined } };
}
