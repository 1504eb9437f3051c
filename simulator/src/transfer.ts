import { PLATFORM } from '@hengtai/contract/money';
import type { EventData } from '@hengtai/contract/gateway.schema';
import { D, written } from './amount.ts';
import { amountDecimals } from './market.ts';
import { count, draw, emit, holdings, moveBalance, numbered, type World } from './world.ts';

type Transfer = EventData['transfer.made'];

/** Between the accounts of one user mostly, now and then to another user. */
export function newTransfer(world: World): void {
  const number = count(world, 'transfer');
  const dice = draw(world, 'transfer', number);
  const kind = dice.weighted([['out', 5] as const, ['back', 3] as const, ['other', 2] as const]);
  const trading = dice.pick([PLATFORM.spot, PLATFORM.spot, PLATFORM.future, PLATFORM.second]);
  const platform = kind === 'back' ? trading : PLATFORM.fund;
  const held = holdings(world, platform);
  if (held.length === 0) return;
  const { account, market, active } = dice.pick(held);
  const amount = written(active.mul(dice.span(0.05, 0.5)), amountDecimals(market));
  if (new D(amount).isZero()) return;
  const toPlatform = kind === 'out' ? trading : PLATFORM.fund;
  const others = world.users.filter((user) => user.account !== account && !world.state.frozen.includes(user.account));
  const toAccount = kind === 'other' ? dice.pick(others).account : account;
  const no = numbered(world, 'T', number);
  const data: Transfer = { no, account, toAccount, market, platform, toPlatform, amount };
  book(world, data, 1);
  emit(world, 'transfer.made', no, data);
}

/** A refused transfer moved nothing. */
export const transferRefused = (world: World, data: Transfer): void => book(world, data, -1);

function book(world: World, data: Transfer, sign: 1 | -1): void {
  moveBalance(world, data.account, data.market, data.platform, new D(data.amount).mul(-sign));
  moveBalance(world, data.toAccount, data.market, data.toPlatform, new D(data.amount).mul(sign));
}
