import { reasonFields } from '@hengtai/contract/wire/reason-code';
import type { ActionInput, IdInput } from '@hengtai/contract/wire/schema';
import {
  type RechargeAction,
  type RechargeState,
  recharge as calls,
  rechargeActionStates,
} from '@hengtai/contract/funds/recharge/calls';
import { rechargeStates, RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import type { RechargeRow, RechargeUrl } from '@hengtai/contract/funds/recharge/schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { type Action, type ActionResult, defineAction } from '../../../actions/action.ts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { valueInUsdt } from '../../../actions/policy.store.ts';
import { type Preview, amountItem, codeItem, textItem } from '../../../actions/preview.ts';
import { type PostedEntry, post } from '../../../books/ledger/post.ts';
import { requireFound, refuseState } from '../../../app/refuse.ts';
import { enqueueBalanceChanges } from '../../../gateway/balance-command.store.ts';
import { creditLegs } from './recharge.rules.ts';
import { type FoundRecharge as Found, findRecharge, moveRecharge } from './recharge.store.ts';

const subjectOf = recordSubject('recharge');

/** Holds a recharge, so that its arrival is not credited. */
export const rechargeHold = rechargeAction('hold', calls.hold, async (ctx, input, target) => {
  const remark = reasonOf(input) === '' ? target.remark : reasonOf(input);
  await moveOr409(ctx, target, 'hold', { to: RECHARGE.held, remark, heldBy: ctx.operator.id });
  return finishAndNotify(ctx, target, []);
});

async function previewRelease(ctx: Ctx, { id }: ActionInput): Promise<Preview> {
  const found = await findRecharge(ctx, id);
  if (!found) return { input: [], now: [], legs: [], problem: refusals.notFound.msg };
  const { account, userId, no, amount, marketName, network, address, txHash, state, remark, arrivedAt } = found;
  return {
    input: [
      textItem('充值', `#${id}`),
      codeItem('单号', no),
      textItem('用户', `${account}（${userId}）`),
      amountItem('充值金额', amount, marketName),
      textItem('网络', network),
      codeItem('地址', address),
      ...(txHash ? [codeItem(labelOf('txHash'), txHash)] : []),
    ],
    now: [textItem('状态', rechargeStates[state as RechargeState]), textItem('挂起原因', remark || '--')],
    legs: arrivedAt === null ? [] : creditLegs(found),
    problem: state === RECHARGE.held ? null : refuseState(rechargeStates, found).message,
  };
}

/** What another person holds needs a second person while four-eyes are locked, everything else above an amount. */
const releaseProtection: Pick<Action<ActionInput, RechargeRow, Found>, 'policy' | 'guard'> = {
  guard: { loosens: (ctx, { heldBy }) => heldBy !== null && heldBy !== ctx.operator.id },
  policy: {
    subject: subjectOf,
    // Before its arrival a release credits nothing.
    amount: ({ arrivedAt, valueNow, pricedAt }) =>
      arrivedAt === null ? valueInUsdt('0') : { amount: valueNow, pricedAt },
    preview: previewRelease,
  },
};

/** Releases a held recharge: credits it if it has arrived, otherwise it waits for the platform again. */
export const rechargeRelease = rechargeAction(
  'release',
  calls.release,
  async (ctx, input, target) => {
    const hasArrived = target.arrivedAt !== null;
    const to = hasArrived ? RECHARGE.credited : RECHARGE.waiting;
    const credited = hasArrived ? { creditedAt: ctx.now } : {};
    // The cause for which the server held it ends with the hold.
    const remark = reasonOf(input) === '' && target.heldBy !== null ? target.remark : reasonOf(input);
    await moveOr409(ctx, target, 'release', { to, remark, ...credited });
    const head = { refType: 'recharge', refId: target.id, at: ctx.now, now: ctx.now, operatorId: ctx.operator.id };
    return finishAndNotify(ctx, target, hasArrived ? await post(ctx.db, head, creditLegs(target)) : []);
  },
  releaseProtection,
);

/**
 * The URL of the user's voucher, or of the transaction in the chain's explorer; empty if there is neither.
 *
 * @throws Refused 404 for a recharge outside the operator's scope
 */
export async function rechargeUrl(ctx: Ctx, { id }: IdInput): Promise<RechargeUrl> {
  const found = requireFound(await findRecharge(ctx, id));
  if (found.voucher !== '') return { url: found.voucher };
  return { url: found.txHash === '' ? '' : found.explorer.replaceAll('{tx}', encodeURIComponent(found.txHash)) };
}

function rechargeAction(
  name: RechargeAction,
  call: Action<ActionInput, RechargeRow, Found>['call'],
  execute: Action<ActionInput, RechargeRow, Found>['execute'],
  protection: Pick<Action<ActionInput, RechargeRow, Found>, 'policy' | 'guard'> = {},
) {
  return defineAction<ActionInput, RechargeRow, Found>({
    call,
    load: (ctx, { id }) => findRecharge(ctx, id),
    check: (_ctx, target) => {
      if (!rechargeActionStates[name].some((state) => state === target.state))
        throw refuseState(rechargeStates, target);
    },
    ...protection,
    execute,
  });
}

/**
 * The update also expects that the recharge has or has not arrived as when it was loaded; otherwise an arrival in
 * between would not be credited.
 *
 * @throws Refused 409 if the recharge changed since it was loaded
 */
async function moveOr409(
  ctx: Ctx,
  target: Found,
  name: RechargeAction,
  move: { to: number; remark: string; creditedAt?: number; heldBy?: number },
): Promise<void> {
  const expected = { from: rechargeActionStates[name], now: ctx.now, arrived: target.arrivedAt !== null };
  if (await moveRecharge(ctx.db, target.id, { ...move, ...expected })) return;
  throw refuseState(rechargeStates, requireFound(await findRecharge(ctx, target.id)));
}

/** Enqueues the decision and the changed balances and returns the result of the action. */
async function finishAndNotify(
  ctx: Ctx,
  target: Found,
  entries: readonly PostedEntry[],
): Promise<ActionResult<RechargeRow>> {
  const after = requireFound(await findRecharge(ctx, target.id));
  const data = { no: target.no, state: after.state, ...reasonFields(after.remark) };
  await enqueue(ctx.db, { type: 'recharge.reviewed', refType: 'recharge', refId: target.id, data, now: ctx.now });
  await enqueueBalanceChanges(ctx.db, entries, ctx.now);
  const { agentId: _agent, voucher: _voucher, heldBy: _held, valueNow: _value, pricedAt: _priced, ...row } = after;
  return { data: row, subject: subjectOf(target), before: auditedFields(target), after: auditedFields(after) };
}

const auditedFields = (row: RechargeRow) => ({ state: row.state, remark: row.remark });
