import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { type Amount, D, roundNaturally, formatAmount } from './amount.ts';
import { amountDecimals } from './market.ts';
import type { Random } from './random.ts';
import { balanceOf, nextNumber, randomFor, emit, listHoldings, moveBalance, formatNo, type World } from './world.ts';

type Transfer = EventData['transfer.made'];

/** Makes a transfer, mostly between the accounts of one user, sometimes to another user. */
export function createTransfer(world: World): void {
  const dice = randomFor(world, 'transfer who', world.state.counters['transfer'] ?? 0);
  const holdings = listHoldings(world, PLATFORM.fund);
  if (holdings.length === 0) return;
  const others = world.users.filter(({ account }) => !world.state.frozen.includes(account));
  makeTransfer(world, dice.pick(holdings).account, dice.pick(others).account);
}

/** Makes a random transfer of an account, if it has anything to move. */
export function makeTransfer(world: World, account: string, other: string): void {
  const number = nextNumber(world, 'transfer');
  const dice = randomFor(world, 'transfer', number);
  const kind = dice.weighted([['out', 5] as const, ['back', 3] as const, ['other', 2] as const]);
  const trading = dice.pick([PLATFORM.spot, PLATFORM.spot, PLATFORM.future, PLATFORM.second]);
  const platform = kind === 'back' ? trading : PLATFORM.fund;
  const holdings = world.markets
    .map(({ name }) => ({ market: name, active: balanceOf(world, account, name, platform) }))
    .filter(({ active }) => active.gt(0));
  if (holdings.length === 0 || (kind === 'other' && other === account)) return;
  const { market, active } = dice.pick(holdings);
  const amount = chooseTransferAmount(market, active, dice);
  if (new D(amount).isZero()) return;
  const toPlatform = kind === 'out' ? trading : PLATFORM.fund;
  const toAccount = kind === 'other' ? other : account;
  const no = formatNo(world, 'T', number);
  const data: Transfer = { no, account, toAccount, market, platform, toPlatform, amount };
  applyTransfer(world, data, 1);
  emit(world, 'transfer.made', no, data);
}

/** Moves part of the funding balance to a trading account. Returns false if the amount is too small. */
export function fundTradingAccount(
  world: World,
  account: string,
  dice: Random,
  toPlatform: 2 | 3 | 4 = PLATFORM.spot,
): boolean {
  const active = balanceOf(world, account, SETTLEMENT, PLATFORM.fund);
  const amount = formatAmount(active.mul(dice.span(0.2, 0.7)), 2);
  if (new D(amount).lt(50)) return false;
  const no = formatNo(world, 'T', nextNumber(world, 'transfer'));
  const move = { no, account, toAccount: account, market: SETTLEMENT, platform: PLATFORM.fund, amount };
  const data: Transfer = { ...move, toPlatform };
  applyTransfer(world, data, 1);
  emit(world, 'transfer.made', no, data);
  return true;
}

function chooseTransferAmount(market: string, active: Amount, dice: Random): string {
  const wanted = active.mul(dice.span(0.05, 0.6));
  const round = market === SETTLEMENT && dice.chance(0.7) ? roundNaturally(wanted.toNumber(), dice) : 0;
  if (round > 0 && active.gte(round)) return formatAmount(round);
  return formatAmount(wanted, amountDecimals(market));
}

/** Reverts a transfer that the server rejected. */
export const onTransferRefused = (world: World, data: Transfer): void => applyTransfer(world, data, -1);

function applyTransfer(world: World, data: Transfer, sign: 1 | -1): void {
  moveBalance(world, data.account, data.market, data.platform, new D(data.amount).mul(-sign));
  moveBalance(world, data.toAccount, data.market, data.toPlatform, new D(data.amount).mul(sign));
}
