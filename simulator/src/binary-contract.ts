import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { D, roundNaturally } from './amount.ts';
import { PRICE_MODELS } from './price.ts';
import type { Random } from './random.ts';
import { DAY_MS, startOfDay, sampleTimeOfDay } from './rhythm.ts';
import { fundTradingAccount } from './transfer.ts';
import { balanceOf, nextNumber, randomFor, emit, listHoldings, moveBalance, formatNo, type World } from './world.ts';

/** Contract lengths in seconds with their weights; every installation offers these. */
const LENGTHS = [[30, 5] as const, [60, 4] as const, [120, 2] as const, [300, 1] as const];
const STAKE_MIN = 10;
const STAKE_MAX = 5_000;
/** The code of binary contracts in price protection. */
const BINARY_CONTRACT = 3;

const MINUTE_MS = 60_000;
/** Contracts per customer and day, for yesterday and for a full start day. */
const PAST_PER_CUSTOMER = 0.055;
const PAST_MAX = 140;
/** Ticks of the past come once a minute; a contract opens and ends shortly before one. */
const BEFORE_TICK_MS = 20_000;
const LAST_MS = 8 * MINUTE_MS;

/** Opens a binary contract for a random account that can afford one. */
export function createBinaryContract(world: World): void {
  const number = nextNumber(world, 'second');
  const dice = randomFor(world, 'second', number);
  const players = listPlayers(world);
  // Sometimes, and always when no account can play, another account is funded first.
  if (players.length === 0 || dice.chance(0.12)) {
    const funds = listHoldings(world, PLATFORM.fund, SETTLEMENT).filter(({ active }) => active.gte(300));
    if (funds.length > 0) fundTradingAccount(world, dice.pick(funds).account, dice, PLATFORM.second);
  }
  if (players.length === 0) return;
  openContract(world, number, dice.pick(players), dice, dice.weighted(LENGTHS));
}

/** Accounts that can afford the smallest stake. Runs often, so it filters keys before it parses balances. */
function listPlayers({ state }: World): string[] {
  const own = `|${SETTLEMENT}|${PLATFORM.second}`;
  const barred = new Set([...state.frozen, ...state.closed]);
  return Object.keys(state.balances)
    .filter((key) => key.endsWith(own) && new D(state.balances[key] ?? 0).gte(STAKE_MIN))
    .map((key) => key.slice(0, -own.length))
    .filter((account) => !barred.has(account));
}

/** Schedules contracts of yesterday and today, which end on ticks of the past. */
export function schedulePastBinaryContracts(world: World, add: (at: number, run: () => void) => void): void {
  const today = startOfDay(world.state.startedAt);
  const contractCount = Math.min(Math.round(world.options.users * PAST_PER_CUSTOMER), PAST_MAX);
  for (const day of [today - DAY_MS, today])
    for (let n = 0; n < contractCount; n += 1) schedulePastBinaryContract(world, day, n, add);
}

/** Random values must not depend on the time of day of the start, or the same seed would give another past. */
function schedulePastBinaryContract(
  world: World,
  day: number,
  n: number,
  add: (at: number, run: () => void) => void,
): void {
  const dice = randomFor(world, 'past second', day - startOfDay(world.state.startedAt), n);
  // Ticks of these days are on whole minutes since midnight.
  const minute = Math.ceil(sampleTimeOfDay(dice) / MINUTE_MS) * MINUTE_MS;
  const at = day + minute - dice.int(0, BEFORE_TICK_MS);
  if (at > world.state.startedAt - LAST_MS) return;
  const seconds = dice.weighted([[60, 5] as const, [120, 3] as const, [300, 1] as const]);
  add(at, () => {
    const rich = world.users.filter(({ wealth, joined }) => wealth > 0.5 && joined < world.now);
    if (rich.length === 0) return;
    const { account } = dice.pick(rich);
    const enough = balanceOf(world, account, SETTLEMENT, PLATFORM.second).gte(STAKE_MIN);
    if (!enough && !fundTradingAccount(world, account, dice, PLATFORM.second)) return;
    openContract(world, nextNumber(world, 'second'), account, dice, seconds);
  });
}

function openContract(world: World, number: number, account: string, dice: Random, seconds: number): void {
  const markets = world.markets.filter(
    ({ name, second, halted }) => second && !halted.includes(BINARY_CONTRACT) && PRICE_MODELS[name],
  );
  if (markets.length === 0) return;
  const active = balanceOf(world, account, SETTLEMENT, PLATFORM.second);
  const wanted = roundNaturally(Math.max(active.mul(dice.span(0.05, 0.4)).toNumber(), STAKE_MIN), dice);
  const stake = D.min(new D(wanted), STAKE_MAX, active.toDecimalPlaces(2, D.ROUND_DOWN));
  if (stake.lt(STAKE_MIN)) return;
  const no = formatNo(world, 'S', number);
  const side = dice.chance(0.54) ? 1 : 2;
  const amount = stake.toFixed();
  moveBalance(world, account, SETTLEMENT, PLATFORM.second, stake.neg());
  world.state.stakes[no] = { account, amount };
  emit(world, 'second.opened', no, { no, account, market: dice.pick(markets).name, side, seconds, amount });
}

/** Refunds the stake of a contract that the server rejected. */
export const onBinaryContractRefused = (world: World, no: string): void =>
  onBinaryContractEnded(world, no, '0', world.now);

/** Books stake plus profit (decimal string, negative for a loss) once; a second call does nothing. */
export function onBinaryContractEnded(world: World, no: string, profit: string, at: number): void {
  const { stakes, ends } = world.state;
  const stake = stakes[no];
  if (!stake) return;
  delete stakes[no];
  ends[stake.account] = at;
  moveBalance(world, stake.account, SETTLEMENT, PLATFORM.second, new D(stake.amount).plus(profit).toFixed());
}

/**
 * True if a balance report belongs to contracts that ended at `at`. Their profit is booked already, and the report
 * may be older than events sent since.
 */
export const isSettlementReport = ({ state }: World, account: string, platform: number, at: number): boolean =>
  platform === PLATFORM.second && state.ends[account] === at;
