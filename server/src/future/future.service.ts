import {
  FUTURE,
  type FutureSide,
  type FutureState,
  demoLabels,
  future as calls,
  futureCan,
  futureSides,
  futureStates,
} from '@hengtai/contract/future';
import type { FutureClose, FutureDetail, FutureDo, FutureId, FutureRow } from '@hengtai/contract/future.schema';
import type { CallSpec } from '@hengtai/contract/endpoint';
import { COMMAND } from '@hengtai/contract/gateway';
import { SETTLEMENT } from '@hengtai/contract/money';
import { refusals } from '@hengtai/contract/refusals';
import { type OrderType, orderTypes } from '@hengtai/contract/spot';
import { needsChecker } from '../approval/policy.store.ts';
import type { Ctx } from '../context.ts';
import { enqueue } from '../gateway/command.store.ts';
import { defineAction } from '../http/action.ts';
import { type Subject, reasonOf } from '../http/action-audit.ts';
import { type Preview, amountItem, codeItem, textItem } from '../http/preview.ts';
import { recordNotification } from '../notify/notification.store.ts';
import { type Refused, refuse, refuseField, refuseMoved } from '../refuse.ts';
import { entriesOf } from '../ledger/request-entries.ts';
import { closesOf, fundingsOf, ordersTo } from './future-close.store.ts';
import { isLess, valueOf } from './future.rules.ts';
import { type FutureRecord, findFuture, startCancel, startClose } from './future.store.ts';

/** Orders the engine to cancel. The order is cancelled, and its margin free, only once the engine says so. */
export const futureCancel = defineAction<FutureDo, FutureRow, FutureRecord>({
  name: 'future.cancel',
  call: calls.cancel,
  load: (ctx, { id }) => findFuture(ctx, id),
  check: (_ctx, target) => {
    if (!can(target, 'cancel')) throw moved(target);
  },
  policy: {
    subject: subjectOf,
    amount: cancelValue,
    preview: async (ctx, { id }) => previewCancel(await mustFind(ctx, id)),
  },
  execute: async (ctx, input, target, approved) => {
    const by = approved?.maker ?? ctx.operator.account;
    const started = await startCancel(ctx, target.id, { by, reason: reasonOf(input) });
    const after = await mustFind(ctx, target.id);
    if (!started) throw moved(after);
    const refs = { refType: 'future', refId: target.id, now: ctx.now };
    await enqueue(ctx.db, { type: 'position.cancel', ...refs, data: started });
    await recordNotification(ctx.db, { type: 'future.cancelling', ...about(target), at: ctx.now, now: ctx.now });
    return {
      data: { ...rowOf(after), command: COMMAND.waiting },
      subject: subjectOf(target),
      before: { state: target.state },
      after: { state: FUTURE.cancelling, reason: after.reason },
    };
  },
});

/** A call for one position names the amount; a bulk call names none and closes all that is open of each. */
type CloseInput = Omit<FutureClose, 'closeAmount'> & { closeAmount?: string };
const closeCall: CallSpec = calls.close;

/**
 * Orders the engine to close, at its own price and never more than is open. What is closed, and what it brings, only the
 * engine's events say.
 */
export const futureClose = defineAction<CloseInput, FutureRow, FutureRecord>({
  name: 'future.close',
  call: closeCall,
  load: (ctx, { id }) => findFuture(ctx, id),
  check: (_ctx, target, { closeAmount }) => {
    if (!can(target, 'close')) throw moved(target);
    if (closeAmount !== undefined && isLess(target.left, closeAmount)) throw tooMuch(target);
  },
  policy: {
    subject: subjectOf,
    amount: (target, { closeAmount }) => closeValue(target, closeAmount ?? target.left),
    preview: async (ctx, { id, closeAmount }) => previewClose(await mustFind(ctx, id), closeAmount),
  },
  execute: async (ctx, input, target, approved) => {
    const by = approved?.maker ?? ctx.operator.account;
    const started = await startClose(ctx, target.id, input.closeAmount, { by, reason: reasonOf(input) });
    const after = await mustFind(ctx, target.id);
    if (!started) throw can(after, 'close') ? tooMuch(after) : moved(after);
    const refs = { refType: 'future', refId: target.id, now: ctx.now };
    await enqueue(ctx.db, { type: 'position.close', ...refs, data: started });
    await recordNotification(ctx.db, { type: 'future.closing', ...about(target), at: ctx.now, now: ctx.now });
    return {
      data: { ...rowOf(after), command: COMMAND.waiting },
      subject: subjectOf(target),
      before: { state: target.state, left: target.left },
      after: { state: FUTURE.closing, closing: started.amount, reason: after.reason },
    };
  },
});

export async function futureDetail(ctx: Ctx, { id }: FutureId): Promise<FutureDetail> {
  const found = await mustFind(ctx, id);
  const second = (policy: string, amount: string | null) =>
    needsChecker(ctx.db, { policy, operatorId: ctx.operator.id, userId: found.userId, amount, now: ctx.now });
  return {
    row: rowOf(found),
    maintenanceRate: found.maintenanceRate,
    closes: await closesOf(ctx, id),
    fundings: await fundingsOf(ctx, id),
    entries: await entriesOf(ctx, 'future', id),
    commands: await ordersTo(ctx, id),
    secondCancel: await second('future.cancel', cancelValue(found)),
    secondClose: await second('future.close', closeValue(found, found.left)),
  };
}

async function mustFind(ctx: Ctx, id: number): Promise<FutureRecord> {
  const found = await findFuture(ctx, id);
  if (!found) throw refuse(refusals.notFound);
  return found;
}

/** While a command is under way there is nothing to order; one that nobody answered may be ordered once more. */
function can({ state, command }: FutureRow, action: keyof typeof futureCan): boolean {
  const doing = action === 'cancel' ? FUTURE.cancelling : FUTURE.closing;
  return (futureCan[action] as readonly number[]).includes(state) || (state === doing && command === COMMAND.unknown);
}

const moved = (row: FutureRow): Refused =>
  refuseMoved(futureStates[row.state as FutureState], { state: row.state, by: row.by, at: row.updatedAt });

const tooMuch = ({ left }: FutureRow): Refused => refuseField('closeAmount', `不能超过未平数量 ${left}`);

/** What is played with no money is worth nothing to a policy. */
function cancelValue({ demo, held }: FutureRow): string {
  return demo === 1 ? '0' : held;
}

const closeValue = ({ demo, markPrice }: FutureRow, amount: string): string | null =>
  demo === 1 ? '0' : markPrice === null ? null : valueOf(amount, markPrice);

const rowOf = ({ agentId: _agent, maintenanceRate: _rate, ...row }: FutureRecord): FutureRow => row;
const about = ({ id, userId, agentId }: FutureRecord) => ({ refType: 'future', refId: id, userId, agentId });

function subjectOf({ id, userId, account, agentId }: FutureRecord): Subject {
  return { type: 'future', id, userId, account, agentId };
}

const askedOf = (row: FutureRecord): Preview['asked'] => [
  textItem('合约订单', `#${row.id}`),
  codeItem('平台单号', row.no),
  textItem('用户', `${row.account}（${row.userId}）`),
  textItem('市场', row.marketName),
  textItem('实盘/模拟', demoLabels[row.demo]),
  textItem('方向', `${futureSides[row.side as FutureSide]} ${row.leverage}x`),
];

function previewCancel(row: FutureRecord): Preview {
  return {
    asked: [...askedOf(row), textItem('类型', orderTypes[row.type as OrderType])],
    now: [
      textItem('状态', futureStates[row.state as FutureState]),
      amountItem('委托价', row.price, SETTLEMENT),
      amountItem('数量', row.amount, row.marketName),
      amountItem('撤销后释放保证金', row.held, SETTLEMENT),
    ],
    legs: [],
    problem: can(row, 'cancel') ? null : moved(row).message,
  };
}

/** What a close brings is known only at the engine's price, so nothing is promised of it. */
function previewClose(row: FutureRecord, closeAmount: string | undefined): Preview {
  const over = closeAmount !== undefined && isLess(row.left, closeAmount);
  return {
    asked: [...askedOf(row), amountItem('平仓数量', closeAmount ?? row.left, row.marketName)],
    now: [
      textItem('状态', futureStates[row.state as FutureState]),
      amountItem('未平数量', row.left, row.marketName),
      amountItem('开仓价', row.openPrice, SETTLEMENT),
      amountItem('标记价', row.markPrice, SETTLEMENT),
      amountItem('占用保证金', row.held, SETTLEMENT),
      amountItem('未实现盈亏', row.unrealized, SETTLEMENT),
    ],
    legs: [],
    problem: !can(row, 'close') ? moved(row).message : over ? tooMuch(row).message : null,
  };
}
