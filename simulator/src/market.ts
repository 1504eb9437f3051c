import { SETTLEMENT } from '@hengtai/contract/values/money';
import { D } from './amount.ts';
import { PRICE_MODELS, sampleCommonMove, sampleNextPrice, sampleVolume } from './price.ts';
import { DAY_MS, HOUR_MS } from './rhythm.ts';
import { nextNumber, randomFor, emit, type World } from './world.ts';
import type { Market } from './records.ts';

const MINUTE_MS = 60_000;
/** Codes of spot and futures trading in price protection. */
export const SPOT = 1;
export const FUTURE = 2;
/** Length of a live tick in hours. */
const LIVE_HOURS = 2_000 / HOUR_MS;

export const marketOf = ({ markets }: Pick<World, 'markets'>, name: string): Market | undefined =>
  markets.find((market) => market.name === name);

export const amountDecimals = (market: string): number => PRICE_MODELS[market]?.amount ?? 2;

/** Price of one coin in the settlement asset. */
export const priceOf = (world: World, market: string): string =>
  market === SETTLEMENT ? '1' : (world.state.prices[market] ?? String(PRICE_MODELS[market]?.level ?? 1));

export const leverageOf = (world: World, market: string): number => marketOf(world, market)?.maxLeverage ?? 20;
export const maintenanceOf = (world: World, market: string): string =>
  marketOf(world, market)?.maintenanceRate ?? '0.005';

/** Emits one live tick for every listed market. */
export function tickMarkets(world: World): void {
  const common = sampleCommonMove(randomFor(world, 'common', world.now - world.state.startedAt));
  for (const { name, price, listed } of world.markets) {
    const model = PRICE_MODELS[name];
    if (!model || !listed) continue;
    const number = nextNumber(world, `tick.${name}`);
    const last = Number(world.state.prices[name] ?? price ?? model.level);
    emitTick(
      world,
      name,
      number,
      sampleNextPrice(model, last, model.level, LIVE_HOURS, common, randomFor(world, 'tick', name, number)),
      LIVE_HOURS,
    );
  }
}

/** Milliseconds between ticks on a day of the past; the last days have more ticks. */
function tickInterval(days: number, day: number): number {
  if (day >= days - 1) return MINUTE_MS;
  return day >= days - 2 ? 5 * MINUTE_MS : HOUR_MS;
}

/** Number of ticks on a day of the past that lasts `length` ms. */
export const countTicks = (world: World, days: number, day: number, length: number): number =>
  Math.ceil(length / tickInterval(days, day)) * world.markets.filter(({ name }) => PRICE_MODELS[name]).length;

/** Emits the ticks of one day of the past before `until`, in time order. */
export function tickDay(world: World, dawn: number, days: number, day: number, until: number): void {
  const start = dawn + day * DAY_MS;
  const every = tickInterval(days, day);
  const dice = randomFor(world, 'prices', day);
  for (let at = start; at < until; at += every) {
    world.now = at;
    const common = sampleCommonMove(dice);
    for (const { name } of world.markets) {
      const model = PRICE_MODELS[name];
      if (!model) continue;
      const target = model.from * (model.level / model.from) ** Math.min((at - dawn) / (days * DAY_MS), 1);
      const hours = every / HOUR_MS;
      const last = Number(world.state.prices[name] ?? model.from);
      emitTick(
        world,
        name,
        nextNumber(world, `tick.${name}`),
        sampleNextPrice(model, last, target, hours, common, dice),
        hours,
      );
    }
  }
}

function emitTick(world: World, name: string, number: number, price: string, hours: number): void {
  const model = PRICE_MODELS[name];
  if (!model) return;
  world.state.prices[name] = price;
  // While spot trading is halted the volume is 0, but the price continues, because price protection needs it to
  // resume.
  const halted = world.markets.find((market) => market.name === name)?.halted.includes(SPOT) ?? false;
  const traded = sampleVolume(model, price, hours, world.now, randomFor(world, 'volume', name, number));
  const volume = halted ? '0' : traded;
  emit(world, 'tick', `${name}:${number}`, { market: name, price, volume, at: world.now });
}

/** Marks one trading type of a market as halted or resumed. */
export function haltMarket(world: World, name: string, type: number, halted: boolean): void {
  const market = world.markets.find((one) => one.name === name);
  if (!market) return;
  const others = market.halted.filter((one) => one !== type);
  market.halted = halted ? [...others, type] : others;
}

/** Parses the markets response; invalid rows are skipped and missing values get defaults. */
export function parseMarkets(data: unknown): Market[] {
  const rows = Array.isArray(data) ? data : list(field(data, 'list'));
  return rows.flatMap((row: unknown) => {
    const name = text(field(row, 'marketName'));
    if (name === undefined) return [];
    const networks = list(field(row, 'networks')).flatMap((one) => {
      const network = text(field(one, 'network'));
      if (network === undefined) return [];
      return [
        { network, recharge: isOn(one, 'recharge'), withdraw: isOn(one, 'withdraw'), fee: text(field(one, 'fee')) },
      ];
    });
    const max = text(field(row, 'withdrawMax'));
    return [
      {
        name,
        price: text(field(row, 'price')),
        recharge: isOn(row, 'rechargeState'),
        withdraw: isOn(row, 'withdrawState'),
        withdrawFee: text(field(row, 'withdrawFee')) ?? '0',
        withdrawMin: text(field(row, 'withdrawMin')) ?? '0',
        withdrawMax: max === undefined || new D(max).isZero() ? undefined : max,
        networks,
        listed: field(row, 'state') === undefined || field(row, 'state') === 1,
        halted: list(field(row, 'halted')).filter((type) => typeof type === 'number'),
        spot: isOn(row, 'spot') && (field(row, 'state') ?? 1) === 1,
        second: isOn(row, 'second') && (field(row, 'state') ?? 1) === 1,
        future: isOn(row, 'future') && (field(row, 'state') ?? 1) === 1 && name !== SETTLEMENT,
        maxLeverage: integer(field(row, 'maxLeverage')),
        maintenanceRate: text(field(row, 'maintenanceRate')),
        makerFee: text(field(row, 'makerFee')) ?? '0.001',
        takerFee: text(field(row, 'takerFee')) ?? '0.001',
        amountPrecision: integer(field(row, 'amountPrecision')),
      },
    ];
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const integer = (value: unknown): number | undefined => (Number.isInteger(value) ? (value as number) : undefined);
/** A missing switch counts as on. */
const isOn = (row: unknown, name: string): boolean => {
  const value = field(row, name);
  return value === undefined || value === 1 || value === true;
};
