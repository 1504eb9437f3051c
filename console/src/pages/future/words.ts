import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import {
  FUTURE,
  type FutureSide,
  type FutureState,
  demoLabels,
  futureCan,
  futureSides,
  futureStates,
} from '@hengtai/contract/future';
import type { FutureRow } from '@hengtai/contract/future.schema';
import { COMMAND } from '@hengtai/contract/gateway';
import { SETTLEMENT } from '@hengtai/contract/money';

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.orders]}」权限`;

export const stateText = (state: number): string => futureStates[state as FutureState] ?? String(state);

/** `BTC 做多 10×`. */
export const kindText = ({ marketName, side, leverage }: Pick<FutureRow, 'marketName' | 'side' | 'leverage'>): string =>
  `${marketName} ${futureSides[side as FutureSide] ?? side} ${leverage}×`;

/** What a demo position holds is no money, so its coin says so wherever it is added up. */
export const coinOf = ({ demo }: { demo: number }): string =>
  demo === 1 ? `${SETTLEMENT}（${demoLabels[1]}）` : SETTLEMENT;

export type FutureAction = keyof typeof futureCan;
type Standing = Pick<FutureRow, 'state' | 'command'>;

const under = { cancel: FUTURE.cancelling, close: FUTURE.closing } as const;

/** Nobody answered the last command, so it may be given once more. */
export const isAgain = (action: FutureAction, { state, command }: Standing): boolean =>
  state === under[action] && command === COMMAND.unknown;

/** Why it cannot be done now; undefined when it can. */
export function whyNot(action: FutureAction, row: Standing, able: boolean): string | undefined {
  if (!able) return NO_ABILITY;
  if ((futureCan[action] as readonly number[]).includes(row.state) || isAgain(action, row)) return undefined;
  if (row.state === under[action]) return '指令处理中，等待撮合确认';
  return `当前为「${stateText(row.state)}」，不可${action === 'cancel' ? '撤单' : '平仓'}`;
}
