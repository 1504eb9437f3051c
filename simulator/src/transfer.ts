import { PLATFORM, SETTLEMENT } from '@hengtai/contract/money';
import type { EventData } from '@hengtai/contract/gateway.schema';
import { type Amount, D, rounded, written } from './amount.ts';
import { amountDecimals } from './market.ts';
import type { Random } from './random.ts';
import { balanceOf, count, draw, emit, holdings, moveBalance, numbered, type World } from './world.ts';

type Transfer = EventData['transfer.made'];

/** Makes a transfer, mostly between the accounts of one user, sometimes to another user. */
export function newTransfer(world: World): void {
  const dice = draw(world, 'transfer who', world.state.counters['transfer'] ?? 0);
  const held = holdings(world, PLATFORM.fund);
  if (held.length === 0) return;
  const others = world.users.filter(({ account }) => !world.state.frozen.includes(account));
  transferOf(world, dice.pick(held).account, dice.pick(others).account);
}

/** Makes a random transfer of an account, if it has anything to move. */
export function transferOf(world: World, account: string, other: string): void {
  const number = count(world, 'transfer');
  const dice = draw(world, 'transfer', number);
  const kind = dice.weighted([['out', 5] as const, ['back', 3] as const, ['other', 2] as const]);
  const trading = dice.pick([PLATFORM.spot, PLATFORM.spot, PLATFORM.future, PLATFORM.second]);
  const platform = kind === 'back' ? trading : PLATFORM.fund;
  const held = world.markets
    .map(({ name }) => ({ market: name, active: balanceOf(world, account, name, platform) }))
    .filter(({ active }) => active.gt(0));
  if (held.length === 0 || (kind === 'other' && other === account)) return;
  const { market, active } = dice.pick(held);
  const amount = transferAmount(market, active, dice);
  if (new D(amount).isZero()) return;
  const toPlatform = kind === 'out' ? trading : PLATFORM.fund;
  const toAccount = kind === 'other' ? other : account;
  const no = numbered(world, 'T', number);
  const data: Transfer = { no, account, toAccount, market, platform, toPlatform, amount };
  book(world, data, 1);
  emit(world, 'transfer.made', no, data);
}

/** Moves part of the funding balance to a trading account. Returns false if the amount is too small. */
export function moveTo(world: World, account: string, dice: Random, toPlatform: 2 | 3 | 4 = PLATFORM.spot): boolean {
  const active = balanceOf(world, account, SETTLEMENT, PLATFORM.fund);
  const amount = written(active.mul(dice.span(0.2, 0.7)), 2);
  if (new D(amount).lt(50)) return false;
  const no = numbered(world, 'T', count(world, 'transfer'));
  const move = { no, account, toAccount: account, market: SETTLEMENT, platform: PLATFORM.fund, amount };
  const data: Transfer = { ...move, toPlatform };
  book(world, data, 1);
  emit(world, 'transfer.made', no, data);
  return true;
}

function transferAmount(market: string, active: Amount, dice: Random): string {
  const wanted = active.mul(dice.span(0.05, 0.6));
  const round = market === SETTLEMENT && dice.chance(0.7) ? rounded(wanted.toNumber(), dice) : 0;
  if (round > 0 && active.gte(round)) return written(round);
  return written(wanted, amountDecimals(market));
}

/** Reverts a transfer that the server rejected. */
export const transferRefused = (world: World, data: Transfer): void => book(world, data, -1);

function book(world: World, data: Transfer, sign: 1 | -1): void {
  moveBalance(world, data.account, data.market, data.platform, new D(data.amount).mul(-sign));
  moveBalance(world, data.toAccount, data.market, data.toPlatform, new D(data.amount).mul(sign));
}
