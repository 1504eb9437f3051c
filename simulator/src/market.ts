import { SETTLEMENT } from '@hengtai/contract/money';
import { D } from './amount.ts';
import { PLAY, commonMove, nextPrice, volumeOf } from './price.ts';
import { DAY, HOUR } from './rhythm.ts';
import { count, draw, emit, type World } from './world.ts';

export interface Network {
  network: string;
  recharge: boolean;
  withdraw: boolean;
  fee: string | undefined;
}

/** A market as the back office has configured it. */
export interface Market {
  name: string;
  price: string | undefined;
  recharge: boolean;
  withdraw: boolean;
  withdrawFee: string;
  withdrawMin: string;
  withdrawMax: string | undefined;
  networks: Network[];
  /** It is shown and traded; one that is not has no ticks. */
  listed: boolean;
  /** Kinds of trading that price protection has halted: 1 spot, 2 futures, 3 binary contracts. */
  halted: readonly number[];
  spot: boolean;
  second: boolean;
  /** Unknown, as what follows, where it was read by an older version. */
  future?: boolean;
  maxLeverage?: number | undefined;
  maintenanceRate?: string | undefined;
  makerFee: string;
  takerFee: string;
  /** Decimals of amounts; unknown where the back office does not say. */
  amountPrecision: number | undefined;
}

const MINUTE = 60_000;
/** How price protection numbers spot trading. */
export const SPOT = 1;
export const FUTURE = 2;
/** Live ticks come every two seconds. */
const LIVE_HOURS = 2_000 / HOUR;

export const marketOf = ({ markets }: Pick<World, 'markets'>, name: string): Market | undefined =>
  markets.find((market) => market.name === name);

export const amountDecimals = (market: string): number => PLAY[market]?.amount ?? 2;

/** What one coin is worth in the settlement asset. */
export const priceOf = (world: World, market: string): string =>
  market === SETTLEMENT ? '1' : (world.state.prices[market] ?? String(PLAY[market]?.level ?? 1));

export const leverageOf = (world: World, market: string): number => marketOf(world, market)?.maxLeverage ?? 20;
export const maintenanceOf = (world: World, market: string): string =>
  marketOf(world, market)?.maintenanceRate ?? '0.005';

/** One tick of every traded market. */
export function tickMarkets(world: World): void {
  const common = commonMove(draw(world, 'common', world.now - world.state.startedAt));
  for (const { name, price, listed } of world.markets) {
    const play = PLAY[name];
    if (!play || !listed) continue;
    const number = count(world, `tick.${name}`);
    const last = Number(world.state.prices[name] ?? price ?? play.level);
    tick(
      world,
      name,
      number,
      nextPrice(play, last, play.level, LIVE_HOURS, common, draw(world, 'tick', name, number)),
      LIVE_HOURS,
    );
  }
}

/** Milliseconds between the ticks of a day of the past: the last days are finer. */
function tickInterval(days: number, day: number): number {
  if (day >= days - 1) return MINUTE;
  return day >= days - 2 ? 5 * MINUTE : HOUR;
}

/** How many ticks a day of the past has, of which `length` milliseconds take place. */
export const countTicks = (world: World, days: number, day: number, length: number): number =>
  Math.ceil(length / tickInterval(days, day)) * world.markets.filter(({ name }) => PLAY[name]).length;

/** The ticks of one day of the past, each market for itself in the order of time. */
export function tickDay(world: World, dawn: number, days: number, day: number, until: number): void {
  const start = dawn + day * DAY;
  const every = tickInterval(days, day);
  const dice = draw(world, 'prices', day);
  for (let at = start; at < until; at += every) {
    world.now = at;
    const common = commonMove(dice);
    for (const { name } of world.markets) {
      const play = PLAY[name];
      if (!play) continue;
      const way = play.from * (play.level / play.from) ** Math.min((at - dawn) / (days * DAY), 1);
      const hours = every / HOUR;
      const last = Number(world.state.prices[name] ?? play.from);
      tick(world, name, count(world, `tick.${name}`), nextPrice(play, last, way, hours, common, dice), hours);
    }
  }
}

function tick(world: World, name: string, number: number, price: string, hours: number): void {
  const play = PLAY[name];
  if (!play) return;
  world.state.prices[name] = price;
  // While spot trading is halted nothing changes hands; the price of elsewhere goes on, or nobody would know that it is back.
  const halted = world.markets.find((market) => market.name === name)?.halted.includes(SPOT) ?? false;
  const traded = volumeOf(play, price, hours, world.now, draw(world, 'volume', name, number));
  const volume = halted ? '0' : traded;
  emit(world, 'tick', `${name}:${number}`, { market: name, price, volume, at: world.now });
}

/** Notes that one kind of a market's trading was halted, or that it goes on. */
export function haltMarket(world: World, name: string, type: number, halted: boolean): void {
  const market = world.markets.find((one) => one.name === name);
  if (!market) return;
  const others = market.halted.filter((one) => one !== type);
  market.halted = halted ? [...others, type] : others;
}

/** Reads the rows of the markets call; what is missing or odd there is left out rather than guessed. */
export function readMarkets(data: unknown): Market[] {
  const rows = Array.isArray(data) ? data : list(field(data, 'list'));
  return rows.flatMap((row: unknown) => {
    const name = text(field(row, 'marketName'));
    if (name === undefined) return [];
    const networks = list(field(row, 'networks')).flatMap((one) => {
      const network = text(field(one, 'network'));
      if (network === undefined) return [];
      return [{ network, recharge: on(one, 'recharge'), withdraw: on(one, 'withdraw'), fee: text(field(one, 'fee')) }];
    });
    const max = text(field(row, 'withdrawMax'));
    return [
      {
        name,
        price: text(field(row, 'price')),
        recharge: on(row, 'rechargeState'),
        withdraw: on(row, 'withdrawState'),
        withdrawFee: text(field(row, 'withdrawFee')) ?? '0',
        withdrawMin: text(field(row, 'withdrawMin')) ?? '0',
        withdrawMax: max === undefined || new D(max).isZero() ? undefined : max,
        networks,
        listed: field(row, 'state') === undefined || field(row, 'state') === 1,
        halted: list(field(row, 'halted')).filter((type) => typeof type === 'number'),
        spot: on(row, 'spot') && (field(row, 'state') ?? 1) === 1,
        second: on(row, 'second') && (field(row, 'state') ?? 1) === 1,
        future: on(row, 'future') && (field(row, 'state') ?? 1) === 1 && name !== SETTLEMENT,
        maxLeverage: whole(field(row, 'maxLeverage')),
        maintenanceRate: text(field(row, 'maintenanceRate')),
        makerFee: text(field(row, 'makerFee')) ?? '0.001',
        takerFee: text(field(row, 'takerFee')) ?? '0.001',
        amountPrecision: whole(field(row, 'amountPrecision')),
      },
    ];
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const whole = (value: unknown): number | undefined => (Number.isInteger(value) ? (value as number) : undefined);
/** A switch that is not named counts as on. */
const on = (row: unknown, name: string): boolean => {
  const value = field(row, name);
  return value === undefined || value === 1 || value === true;
};
