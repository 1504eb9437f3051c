import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import {
  type FutureSide,
  type FutureState,
  demoLabels,
  futureActionStates,
  futureSides,
} from '@hengtai/contract/trading/future/calls';
import { futureStates, FUTURE } from '@hengtai/contract/trading/future/facts';
import type { FutureRow } from '@hengtai/contract/trading/future/schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { SETTLEMENT } from '@hengtai/contract/values/money';

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.orders]}」权限`;

export const stateText = (state: number): string => futureStates[state as FutureState] ?? String(state);

/** `BTC 做多 10×`. */
export const kindText = ({ marketName, side, leverage }: Pick<FutureRow, 'marketName' | 'side' | 'leverage'>): string =>
  `${marketName} ${futureSides[side as FutureSide] ?? side} ${leverage}×`;

/** The coin of an order in sums. Demo orders have a coin of their own, so that they never add up with real money. */
export const coinOf = ({ demo }: { demo: number }): string =>
  demo === 1 ? `${SETTLEMENT}（${demoLabels[1]}）` : SETTLEMENT;

export type FutureAction = keyof typeof futureActionStates;
type FutureStatus = Pick<FutureRow, 'state' | 'command'>;

const pendingState = { cancel: FUTURE.cancelling, close: FUTURE.closing } as const;

/** True if the engine did not answer the last command, so that it can be sent again. */
export const canRetry = (action: FutureAction, { state, command }: FutureStatus): boolean =>
  state === pendingState[action] && command === COMMAND.unknown;

/** The reason why an order cannot be cancelled or closed; undefined if it can. */
export function disabledReasonOf(action: FutureAction, row: FutureStatus, hasAbility: boolean): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if ((futureActionStates[action] as readonly number[]).includes(row.state) || canRetry(action, row)) return undefined;
  if (row.state === pendingState[action]) return '指令处理中，等待撮合确认';
  return `当前为「${stateText(row.state)}」，不可${action === 'cancel' ? '撤单' : '平仓'}`;
}
