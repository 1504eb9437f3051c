import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import type { Call, CallSpec } from '@hengtai/contract/wire/endpoint';
import { labelOf } from '@hengtai/contract/wire/labels';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { MarketCancelInput, MarketCancelPreview, MarketCancelled } from '@hengtai/contract/wire/schema';
import { type RegisteredAction, defineAction } from '../actions/action.ts';
import { reasonOf } from '../actions/action-audit.ts';
import { recordNotification } from '../actions/notification.store.ts';
import type { PolicyValue } from '../actions/policy.store.ts';
import { textItem } from '../actions/preview.ts';
import type { Ctx } from '../app/context.ts';
import { refuse, requireFound } from '../app/refuse.ts';
import { startCancelAll } from './market-cancel.store.ts';
import type { CancelCommand, OrderKind } from './order-command.store.ts';

/** The orders of a market within the scope of an operator. */
export type MarketOrders = Omit<MarketCancelPreview, 'second'>;

interface MarketCancel<F extends MarketOrders> {
  call: CallSpec & Call<MarketCancelInput, MarketCancelled>;
  kind: OrderKind;
  cancel: CancelCommand;
  notification: NotificationType;
  /** The orders in the scope of the maker; undefined if the market does not exist. */
  find: (ctx: Ctx, marketId: number, makerId: number) => Promise<F | undefined>;
  /** The value of what the orders hold. */
  valueOf: (found: F) => PolicyValue;
  /** Which orders are cancelled, for the checker. */
  range: string;
  /** What the checker sees of the orders besides their count and users. */
  itemsOf: (ctx: Ctx, found: F) => Promise<ApprovalItem[]>;
}

/** Sends cancel commands for all open orders of a market within the scope of the maker. Each ends by its own event. */
export const defineMarketCancel = <F extends MarketOrders>(
  spec: MarketCancel<F>,
): RegisteredAction<MarketCancelInput, MarketCancelled> =>
  defineAction<MarketCancelInput, MarketCancelled, F & { agentId: number | null }>({
    call: spec.call,
    load: async (ctx, { marketId }, { makerId }) => {
      const orders = await spec.find(ctx, marketId, makerId);
      return orders && { ...orders, agentId: ctx.scope.kind === 'all' ? null : ctx.operator.id };
    },
    check: (_ctx, { orders }) => {
      if (orders === 0) throw refuse(refusals.noOpenOrders);
    },
    policy: {
      subject: ({ marketId, agentId }) => ({ type: 'market', id: marketId, agentId }),
      amount: spec.valueOf,
      preview: async (ctx, { marketId }, makerId) => {
        const found = requireFound(await spec.find(ctx, marketId, makerId ?? ctx.operator.id));
        return {
          input: [textItem(labelOf('marketName'), found.marketName), textItem('范围', spec.range)],
          now: [
            textItem('委托数', String(found.orders)),
            textItem('涉及用户', String(found.users)),
            ...(await spec.itemsOf(ctx, found)),
          ],
          legs: [],
          problem: found.orders === 0 ? refusals.noOpenOrders.msg : null,
        };
      },
    },
    execute: async (ctx, input, target, approved) => {
      const { marketId, marketName } = target;
      const reason = reasonOf(input);
      const maker = { makerId: approved?.makerId ?? ctx.operator.id, by: approved?.maker ?? ctx.operator.account };
      const orders = await startCancelAll(ctx, spec.kind, spec.cancel, { marketId, reason, ...maker });
      if (orders === 0) throw refuse(refusals.noOpenOrders);
      // The notification goes to the scope of the maker, not of the checker.
      const agentId = approved?.makerId ?? target.agentId;
      const notification = { refType: 'market', refId: marketId, agentId, detail: marketName };
      await recordNotification(ctx.db, { type: spec.notification, ...notification, at: ctx.now, now: ctx.now });
      return {
        data: { marketId, marketName, orders },
        subject: { type: 'market', id: marketId, agentId },
        after: { marketName, orders, reason },
      };
    },
  });
