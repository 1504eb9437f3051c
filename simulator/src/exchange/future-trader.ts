import { D, formatAmount } from '../amount.ts';
import { FUTURE, leverageOf, marketOf, priceOf } from '../market.ts';
import { PRICE_MODELS } from '../price.ts';
import type { Random } from '../random.ts';
import { HOUR_MS } from '../rhythm.ts';
import { fundTradingAccount } from '../transfer.ts';
import { nextNumber, randomFor, listHoldings, timeFromNow, type World } from '../world.ts';
import { closeByUser } from './future-engine.ts';
import { decimalsOf } from './order.ts';
import {
  type PositionRequest,
  type Plan,
  STOP_LOSS,
  TAKE_PROFIT,
  cancelPosition,
  closePosition,
  freeBalanceOf,
  liquidatePosition,
  openPosition,
  placePosition,
} from './position.ts';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';

/** No new positions while this many orders and positions exist. */
const ALIVE_MAX = 130;
/** Smallest margin in USDT. */
const MIN_MARGIN = 10;
const LEVERAGES = [
  [2, 2],
  [3, 3],
  [5, 5],
  [10, 6],
  [20, 4],
  [50, 2],
  [100, 1],
] as const;
const DEMO_SHARE = 0.22;

/** Places a position order for a random account with futures money, or for a demo account. */
export function createPosition(world: World): void {
  if (Object.keys(world.state.positions).length >= ALIVE_MAX) return;
  const dice = randomFor(world, 'holder', nextNumber(world, 'holder'));
  const closed = new Set([...world.state.closed, ...world.state.frozen]);
  const demo = dice.chance(DEMO_SHARE) ? 1 : 0;
  const rich = listHoldings(world, PLATFORM.future, SETTLEMENT)
    .filter(({ account, active }) => active.gte(MIN_MARGIN * 3) && !closed.has(account))
    .map(({ account }) => account);
  const players = world.users.filter(({ account, joined }) => joined < world.now && !closed.has(account));
  const accounts = demo === 1 ? players.map(({ account }) => account) : rich;
  if (accounts.length === 0) return;
  const request = choosePosition(world, dice.pick(accounts), demo, dice, false);
  if (!request) return;
  const plan = chooseExits(world, request, dice);
  placePosition(world, request, {
    ...plan,
    ...(dice.chance(0.35) ? { cancelAt: timeFromNow(world, dice, 90, 1_500) } : {}),
    ...(dice.chance(0.75)
      ? { closeAt: timeFromNow(world, dice, 40, 2_400), closeShare: dice.chance(0.3) ? 0.5 : 1 }
      : {}),
  });
}

function choosePosition(
  world: World,
  account: string,
  demo: 0 | 1,
  dice: Random,
  cautious: boolean,
): PositionRequest | undefined {
  const traded = world.markets.filter(
    ({ name, future, halted }) => future && !halted.includes(FUTURE) && PRICE_MODELS[name],
  );
  if (traded.length === 0) return undefined;
  const market = dice.pick(traded).name;
  const side = dice.chance(0.56) ? 1 : 2;
  const leverageWanted = dice.weighted(LEVERAGES);
  const leverage = Math.min(leverageWanted, leverageOf(world, market), cautious ? 10 : 100);
  const last = new D(priceOf(world, market));
  const limit = dice.chance(0.5);
  const distance = dice.weighted([
    [0, 3],
    [0.0015, 4],
    [0.01, 2],
  ] as const);
  const price = last
    .mul(1 + (side === 1 ? -1 : 1) * distance * dice.span(0.5, 1.5))
    .toDecimalPlaces(PRICE_MODELS[market]?.price ?? 2)
    .toFixed();
  const margin =
    demo === 1 ? new D(dice.logNormal(900, 0.8)) : freeBalanceOf(world, account).mul(dice.span(0.08, 0.45));
  if (margin.lt(MIN_MARGIN)) return undefined;
  const decimals = Math.min(decimalsOf(marketOf(world, market), market), PRICE_MODELS[market]?.amount ?? 8);
  const amount = formatAmount(margin.mul(leverage).div(limit ? price : last), decimals);
  if (new D(amount).isZero()) return undefined;
  return { account, market, demo, side, leverage, ...(limit ? { price } : {}), amount };
}

/** Random take-profit and stop-loss prices, closer to the entry with higher leverage. */
function chooseExits(world: World, { market, side, leverage, price }: PositionRequest, dice: Random): Plan {
  const at = new D(price ?? priceOf(world, market));
  const sign = side === 1 ? 1 : -1;
  const priceAtShare = (share: number): string =>
    at
      .mul(1 + sign * share)
      .toDecimalPlaces(PRICE_MODELS[market]?.price ?? 2)
      .toFixed();
  const reach = Math.min(0.9 / leverage, 0.08);
  return {
    ...(dice.chance(0.45) ? { takeProfit: priceAtShare(reach * dice.span(0.15, 1.2)) } : {}),
    ...(dice.chance(0.4) ? { stopLoss: priceAtShare(-reach * dice.span(0.1, 0.7)) } : {}),
  };
}

/** Schedules a callback at a time of the past. */
/** Chooses a demo position, or a real one for which the account has or gets the margin. */
function chooseFundedPosition(
  world: World,
  account: string,
  dice: Random,
  cautious: boolean,
): PositionRequest | undefined {
  const demo = dice.chance(DEMO_SHARE) ? 1 : 0;
  const hasMargin = demo === 1 || freeBalanceOf(world, account).gte(MIN_MARGIN * 5);
  if (!hasMargin && !fundTradingAccount(world, account, dice, PLATFORM.future)) return undefined;
  return choosePosition(world, account, demo, dice, cautious);
}

type Later = (at: number, run: () => void) => void;

/** Creates a past position and schedules its end. If that is after the start, the live engine continues with it. */
export function createPastPosition(world: World, account: string, agenda: Later): void {
  const dice = randomFor(world, 'past position', nextNumber(world, 'past position'));
  const request = chooseFundedPosition(world, account, dice, false);
  if (!request) return;
  const wait = request.price === undefined ? 1_000 : Math.round(Math.min(dice.logNormal(20, 1), 240) * 60_000);
  const stay = Math.round(Math.min(dice.logNormal(3, 1.1), 30) * HOUR_MS);
  const fate = dice.weighted([
    ['user', 44],
    ['part', 10],
    ['profit', 17],
    ['stop', 12],
    ['liquidated', 7],
    ['cancelled', 10],
  ] as const);
  const no = placePosition(world, request, { live: true, closeAt: world.now + wait + stay });
  if (no === undefined) return;
  if (fate === 'cancelled') return agenda(world.now + wait, () => cancelPosition(world, no));
  agenda(world.now + wait, () => openPosition(world, no, request.price ?? priceOf(world, request.market)));
  agenda(world.now + wait + stay, () => endPastPosition(world, no, fate, dice, agenda));
}

type Fate = 'user' | 'part' | 'profit' | 'stop' | 'liquidated';

function endPastPosition(world: World, no: string, fate: Fate, dice: Random, agenda: Later): void {
  const position = world.state.positions[no];
  if (position?.openPrice === undefined) return;
  const sign = position.side === 1 ? 1 : -1;
  const reach = Math.min(0.95 / position.leverage, 0.06);
  const shiftPrice = (share: number): string =>
    new D(position.openPrice ?? 0)
      .mul(1 + sign * share)
      .toDecimalPlaces(PRICE_MODELS[position.market]?.price ?? 2)
      .toFixed();
  const amount = new D(position.left);
  switch (fate) {
    case 'profit':
      return closePosition(world, no, amount, shiftPrice(reach * dice.span(0.2, 0.9)), TAKE_PROFIT);
    case 'stop':
      return closePosition(world, no, amount, shiftPrice(-reach * dice.span(0.1, 0.6)), STOP_LOSS);
    case 'liquidated':
      return liquidatePosition(world, no, shiftPrice(-0.97 / position.leverage));
    default: {
      const price = shiftPrice(reach * dice.span(-0.35, 0.4));
      closeByUser(world, no, position, fate === 'part' ? dice.span(0.3, 0.7) : 1, price);
      if (fate === 'part' && world.state.positions[no])
        agenda(position.closeAt, () => endPastPosition(world, no, 'user', dice, agenda));
    }
  }
}

/** Creates a position, or an order, that is still open at the start. */
export function createOpenPosition(world: World, account: string, dice: Random): void {
  const request = chooseFundedPosition(world, account, dice, true);
  if (!request) return;
  const plan = chooseExits(world, request, dice);
  const closeAt = dice.chance(0.6) ? world.state.startedAt + dice.int(60, 5_400) * 1_000 : 0;
  const no = placePosition(world, request, { ...plan, live: true, closeAt });
  const isWaiting = request.price !== undefined && dice.chance(0.4);
  if (no !== undefined && !isWaiting) openPosition(world, no, request.price ?? priceOf(world, request.market));
}
