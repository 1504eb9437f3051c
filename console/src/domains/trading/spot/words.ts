import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import {
  SPOT_SIDE,
  type SpotSide,
  type SpotState,
  spotActionStates,
  spotSides,
} from '@hengtai/contract/trading/spot/calls';
import { type OrderType, orderTypes, spotStates, SPOT } from '@hengtai/contract/trading/spot/facts';
import type { SpotRow } from '@hengtai/contract/trading/spot/schema';

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.orders]}」权限`;

export const stateText = (state: number): string => spotStates[state as SpotState] ?? String(state);

/** `限价买入`. */
export const kindText = ({ side, type }: Pick<SpotRow, 'side' | 'type'>): string =>
  `${orderTypes[type as OrderType] ?? type}${spotSides[side as SpotSide] ?? side}`;

type Market = Pick<SpotRow, 'marketName' | 'coinName' | 'quoteName'>;
/** What an order buys or sells, and what it is paid in. */
export const coinOf = ({ coinName, marketName }: Market): string => coinName ?? marketName;
export const quoteOf = ({ quoteName }: Market): string => quoteName ?? SETTLEMENT;
/** The unit of a price in a narrow column, where USDT is understood. */
export const otherUnit = (row: Market): { unit?: string } =>
  quoteOf(row) === SETTLEMENT ? {} : { unit: quoteOf(row) };

/** The coin that an order freezes: the quote for a purchase, the coin for a sale. */
export const frozenCoin = (row: Market & Pick<SpotRow, 'side'>): string =>
  row.side === SPOT_SIDE.buy ? quoteOf(row) : coinOf(row);

/** The reason why an order cannot be cancelled; undefined if it can. */
export function disabledReasonOf(
  { state, command }: Pick<SpotRow, 'state' | 'command'>,
  hasAbility: boolean,
): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if ((spotActionStates.cancel as readonly number[]).includes(state)) return undefined;
  if (state !== SPOT.cancelling) return `当前为「${stateText(state)}」，不可撤单`;
  return command === COMMAND.unknown ? undefined : '撤单指令处理中，等待撮合确认';
}

/** True if the engine did not answer the last command, so that it can be sent again. */
export const canRetry = ({ state, command }: Pick<SpotRow, 'state' | 'command'>): boolean =>
  state === SPOT.cancelling && command === COMMAND.unknown;
