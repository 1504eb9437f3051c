import type { ActionInput, IdInput, MarketInput } from '@hengtai/contract/wire/schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import {
  SPOT_SIDE,
  type SpotSide,
  type SpotState,
  spot as calls,
  spotActionStates,
  spotSides,
} from '@hengtai/contract/trading/spot/calls';
import { orderTypes, type OrderType, spotStates, SPOT } from '@hengtai/contract/trading/spot/facts';
import type { SpotDetail, SpotPreview, SpotRow } from '@hengtai/contract/trading/spot/schema';
import { type PolicyValue, needsChecker, priceAgeOf } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { fetchRecordCommands, enqueue } from '../../../gateway/command.store.ts';
import { defineMarketCancel } from '../../../gateway/market-cancel.ts';
import { defineAction } from '../../../actions/action.ts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { type Preview, amountItem, codeItem, textItem, valueItems } from '../../../actions/preview.ts';
import { fetchRequestEntries } from '../../../books/ledger/request-entries.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { requireFound, refuseState } from '../../../app/refuse.ts';
import { fetchFills } from './spot-fill.store.ts';
import { type HeldOrders, findMarketOrders } from './spot-market.store.ts';
import { type SpotRecord, findSpotOrder, spotCancelCommand, spotOrders, startCancel } from './spot.store.ts';

const subjectOf = recordSubject('trade');
const valueOf = ({ valuation: amount, pricedAt }: SpotRecord | HeldOrders): PolicyValue => ({ amount, pricedAt });

/** Sends the engine a cancel command. The order ends and its hold is released only by the event of the engine. */
export const spotCancel = defineAction<ActionInput, SpotRow, SpotRecord>({
  call: calls.cancel,
  load: (ctx, { id }) => findSpotOrder(ctx, id),
  check: (_ctx, target) => {
    if (!canCancel(target)) throw refuseState(spotStates, target);
  },
  policy: {
    subject: subjectOf,
    amount: valueOf,
    preview: async (ctx, { id }) => {
      const target = requireFound(await findSpotOrder(ctx, id));
      return previewCancel(target);
    },
  },
  execute: async (ctx, input, target, approved) => {
    const by = approved?.maker ?? ctx.operator.account;
    const started = await startCancel(ctx, target.id, { by, reason: reasonOf(input) });
    const after = requireFound(await findSpotOrder(ctx, target.id));
    if (!started) throw refuseState(spotStates, after);
    const { id, agentId, userId } = target;
    await enqueue(ctx.db, { type: 'order.cancel', refType: 'trade', refId: id, data: started, now: ctx.now });
    const notification = { refType: 'trade', refId: id, userId, agentId, at: ctx.now, now: ctx.now };
    await recordNotification(ctx.db, { type: 'trade.cancelling', ...notification });
    return {
      data: { ...rowOf(after), command: COMMAND.waiting },
      subject: subjectOf(target),
      before: { state: target.state, filled: target.filled },
      after: { state: SPOT.cancelling, filled: after.filled, reason: after.reason },
    };
  },
});

export const spotCancelAll = defineMarketCancel<HeldOrders>({
  call: calls.cancelAll,
  kind: spotOrders,
  cancel: spotCancelCommand,
  notification: 'trade.cancelling',
  find: findMarketOrders,
  valueOf,
  range: '提交人可见的全部未完成委托',
  itemsOf: async (ctx, found) => [
    amountItem('买单冻结', found.buying, found.quoteName),
    amountItem('卖单冻结', found.selling, found.coinName),
    ...valueItems(found.valuation, await priceAgeOf(ctx, found)),
  ],
});

export async function spotPreview(ctx: Ctx, { marketId }: MarketInput): Promise<SpotPreview> {
  const orders = requireFound(await findMarketOrders(ctx, marketId, ctx.operator.id));
  const second = await needsChecker(ctx, 'trade.cancelAll', null, valueOf(orders));
  return { ...orders, ...(await priceAgeOf(ctx, orders)), second };
}

export async function spotDetail(ctx: Ctx, { id }: IdInput): Promise<SpotDetail> {
  const order = requireFound(await findSpotOrder(ctx, id));
  return {
    row: rowOf(order),
    fills: await fetchFills(ctx, id),
    entries: await fetchRequestEntries(ctx, 'trade', id),
    commands: await fetchRecordCommands(ctx.db, 'trade', id),
    second: await needsChecker(ctx, 'trade.cancel', order.userId, valueOf(order)),
  };
}

function rowOf({ agentId: _agent, valuation: _valuation, pricedAt: _pricedAt, ...row }: SpotRecord): SpotRow {
  return row;
}

/** False while a cancel is in progress; a cancel command that timed out without an answer may be repeated. */
const canCancel = ({ state, command }: SpotRow): boolean =>
  (spotActionStates.cancel as readonly number[]).includes(state) ||
  (state === SPOT.cancelling && command === COMMAND.unknown);

function previewCancel(row: SpotRecord): Preview {
  const { coinName = row.marketName, quoteName = SETTLEMENT } = row;
  return {
    input: [
      textItem('现货委托', `#${row.id}`),
      codeItem('平台单号', row.no),
      textItem('用户', `${row.account}（${row.userId}）`),
      textItem('市场', row.marketName),
      textItem('方向', `${orderTypes[row.type as OrderType]}${spotSides[row.side as SpotSide]}`),
    ],
    now: [
      textItem('状态', spotStates[row.state as SpotState]),
      amountItem('委托价', row.price, quoteName),
      amountItem('已成交', row.filled, coinName),
      amountItem('撤销后解冻', row.frozen, row.side === SPOT_SIDE.buy ? quoteName : coinName),
    ],
    legs: [],
    problem: canCancel(row) ? null : refuseState(spotStates, row).message,
  };
}
