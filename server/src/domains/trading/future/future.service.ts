import type { ActionInput, IdInput, MarketInput } from '@hengtai/contract/wire/schema';
import {
  type FutureSide,
  type FutureState,
  demoLabels,
  future as calls,
  futureActionStates,
  futureSides,
} from '@hengtai/contract/trading/future/calls';
import { futureStates, FUTURE } from '@hengtai/contract/trading/future/facts';
import type {
  FutureCancelPreview,
  FutureClose,
  FutureDetail,
  FutureRow,
} from '@hengtai/contract/trading/future/schema';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { type OrderType, orderTypes } from '@hengtai/contract/trading/spot/facts';
import { type PolicyValue, needsChecker, valueInUsdt } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineMarketCancel } from '../../../gateway/market-cancel.ts';
import { defineAction } from '../../../actions/action.ts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { type Preview, amountItem, codeItem, textItem } from '../../../actions/preview.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { type Refused, refuseField, requireFound, refuseState } from '../../../app/refuse.ts';
import { fetchRequestEntries } from '../../../books/ledger/request-entries.ts';
import { fetchCloses, fetchFundings, fetchCommands, fetchOpenings } from './future-close.store.ts';
import { isLess, notionalOf } from './future.rules.ts';
import { type PendingOrders, findPendingOrders } from './future-market.store.ts';
import {
  type FutureRecord,
  findFuture,
  futureCancelCommand,
  futureOrders,
  startCancel,
  startClose,
} from './future.store.ts';

const subjectOf = recordSubject('future');

/** Sends the engine a cancel command. The order ends and its margin is released only by the event of the engine. */
export const futureCancel = defineAction<ActionInput, FutureRow, FutureRecord>({
  call: calls.cancel,
  load: (ctx, { id }) => findFuture(ctx, id),
  check: (_ctx, target) => {
    if (!can(target, 'cancel')) throw refuseState(futureStates, target);
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
    if (!started) throw refuseState(futureStates, after);
    const refs = { refType: 'future', refId: target.id, now: ctx.now };
    await enqueue(ctx.db, { type: 'position.cancel', ...refs, data: started });
    await recordNotification(ctx.db, {
      type: 'future.cancelling',
      ...notificationRef(target),
      at: ctx.now,
      now: ctx.now,
    });
    return {
      data: { ...rowOf(after), command: COMMAND.waiting },
      subject: subjectOf(target),
      before: { state: target.state },
      after: { state: FUTURE.cancelling, reason: after.reason },
    };
  },
});

/** Cancels demo orders too, as the call for one order does. */
export const futureCancelAll = defineMarketCancel<PendingOrders>({
  call: calls.cancelAll,
  kind: futureOrders,
  cancel: futureCancelCommand,
  notification: 'future.cancelling',
  find: findPendingOrders,
  valueOf: ({ held }) => valueInUsdt(held),
  range: '提交人可见的全部当前委托，包括模拟委托',
  itemsOf: async (_ctx, { demoOrders, held }) => [
    textItem('其中模拟委托', String(demoOrders)),
    amountItem('撤销后释放保证金', held, SETTLEMENT),
  ],
});

export async function futureCancelPreview(ctx: Ctx, { marketId }: MarketInput): Promise<FutureCancelPreview> {
  const orders = requireFound(await findPendingOrders(ctx, marketId, ctx.operator.id));
  return { ...orders, second: await needsChecker(ctx, 'future.cancelAll', null, valueInUsdt(orders.held)) };
}

/** A call for one position names the amount; a bulk call omits it and closes the full open amount of each. */
type CloseInput = Omit<FutureClose, 'closeAmount'> & { closeAmount?: string };
const closeCall: CallSpec = calls.close;

/**
 * Sends the engine a close command, for at most the open amount. The engine chooses the price; the position changes only by
 * its events.
 */
export const futureClose = defineAction<CloseInput, FutureRow, FutureRecord>({
  call: closeCall,
  load: (ctx, { id }) => findFuture(ctx, id),
  check: (_ctx, target, { closeAmount }) => {
    if (!can(target, 'close')) throw refuseState(futureStates, target);
    if (closeAmount !== undefined && isLess(target.left, closeAmount)) throw refuseExcess(target);
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
    if (!started) throw can(after, 'close') ? refuseExcess(after) : refuseState(futureStates, after);
    const refs = { refType: 'future', refId: target.id, now: ctx.now };
    await enqueue(ctx.db, { type: 'position.close', ...refs, data: started });
    await recordNotification(ctx.db, { type: 'future.closing', ...notificationRef(target), at: ctx.now, now: ctx.now });
    return {
      data: { ...rowOf(after), command: COMMAND.waiting },
      subject: subjectOf(target),
      before: { state: target.state, left: target.left },
      after: { state: FUTURE.closing, closing: started.amount, reason: after.reason },
    };
  },
});

export async function futureDetail(ctx: Ctx, { id }: IdInput): Promise<FutureDetail> {
  const position = await mustFind(ctx, id);
  const isCheckerNeeded = (policy: string, value: PolicyValue) => needsChecker(ctx, policy, position.userId, value);
  return {
    row: rowOf(position),
    maintenanceRate: position.maintenanceRate,
    openings: await fetchOpenings(ctx, id),
    closes: await fetchCloses(ctx, id),
    fundings: await fetchFundings(ctx, id),
    entries: await fetchRequestEntries(ctx, 'future', id),
    commands: await fetchCommands(ctx, id),
    secondCancel: await isCheckerNeeded('future.cancel', cancelValue(position)),
    secondClose: await isCheckerNeeded('future.close', closeValue(position, position.left)),
  };
}

async function mustFind(ctx: Ctx, id: number): Promise<FutureRecord> {
  return requireFound(await findFuture(ctx, id));
}

/** False while a command is in progress; a command that timed out without an answer may be repeated. */
function can({ state, command }: FutureRow, action: keyof typeof futureActionStates): boolean {
  const inProgress = action === 'cancel' ? FUTURE.cancelling : FUTURE.closing;
  return (
    (futureActionStates[action] as readonly number[]).includes(state) ||
    (state === inProgress && command === COMMAND.unknown)
  );
}

const refuseExcess = ({ left }: FutureRow): Refused => refuseField('closeAmount', `不能超过未平数量 ${left}`);

/** Demo positions hold no money, so approval policies value them at 0. */
function cancelValue({ demo, held }: FutureRow): PolicyValue {
  return valueInUsdt(demo === 1 ? '0' : held);
}

function closeValue({ demo, markPrice, pricedAt }: FutureRecord, amount: string): PolicyValue {
  if (demo === 1) return valueInUsdt('0');
  return { amount: markPrice === null ? null : notionalOf(amount, markPrice), pricedAt };
}

const rowOf = ({ agentId: _agent, maintenanceRate: _rate, pricedAt: _pricedAt, ...row }: FutureRecord): FutureRow =>
  row;
const notificationRef = ({ id, userId, agentId }: FutureRecord) => ({ refType: 'future', refId: id, userId, agentId });

const requestItems = (row: FutureRecord): Preview['input'] => [
  textItem('合约订单', `#${row.id}`),
  codeItem('平台单号', row.no),
  textItem('用户', `${row.account}（${row.userId}）`),
  textItem('市场', row.marketName),
  textItem('实盘/模拟', demoLabels[row.demo]),
  textItem('方向', `${futureSides[row.side as FutureSide]} ${row.leverage}x`),
];

function previewCancel(row: FutureRecord): Preview {
  return {
    input: [...requestItems(row), textItem('类型', orderTypes[row.type as OrderType])],
    now: [
      textItem('状态', futureStates[row.state as FutureState]),
      amountItem('委托价', row.price, SETTLEMENT),
      amountItem('数量', row.amount, row.marketName),
      amountItem('撤销后释放保证金', row.held, SETTLEMENT),
    ],
    legs: [],
    problem: can(row, 'cancel') ? null : refuseState(futureStates, row).message,
  };
}

/** Has no legs, because the result of a close depends on the price of the engine. */
function previewClose(row: FutureRecord, closeAmount: string | undefined): Preview {
  const isExcessive = closeAmount !== undefined && isLess(row.left, closeAmount);
  return {
    input: [...requestItems(row), amountItem('平仓数量', closeAmount ?? row.left, row.marketName)],
    now: [
      textItem('状态', futureStates[row.state as FutureState]),
      amountItem('未平数量', row.left, row.marketName),
      amountItem('开仓价', row.openPrice, SETTLEMENT),
      amountItem('标记价', row.markPrice, SETTLEMENT),
      amountItem('占用保证金', row.held, SETTLEMENT),
      amountItem('未实现盈亏', row.unrealized, SETTLEMENT),
    ],
    legs: [],
    problem: !can(row, 'close')
      ? refuseState(futureStates, row).message
      : isExcessive
        ? refuseExcess(row).message
        : null,
  };
}
