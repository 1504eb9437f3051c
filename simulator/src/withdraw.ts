import { PLATFORM, SETTLEMENT } from '@hengtai/contract/money';
import { D, rounded, written } from './amount.ts';
import { address, memo, txHash } from './chain.ts';
import { amountDecimals, type Market, type Network, priceOf } from './market.ts';
import type { Random } from './random.ts';
import { changeCredential } from './user.ts';
import {
  balanceOf,
  count,
  draw,
  emit,
  type Holding,
  holdings,
  later,
  moveBalance,
  numbered,
  type World,
} from './world.ts';

/** No new requests while this many wait for an operator. */
const UNDECIDED_MAX = 60;
const CANCELLED_SHARE = 0.07;
const BIG = 10_000;
/** Smallest withdrawal, in value of the settlement asset; below it the fee is too high. */
const SMALL = 25;

/** The risk that a request shows to the operator. */
type Kind = 'known' | 'first' | 'shared' | 'credential' | 'big';
const KINDS: readonly (readonly [Kind, number])[] = [
  ['known', 66],
  ['first', 16],
  ['credential', 7],
  ['big', 6],
  ['shared', 5],
];
/** Requests that wait at the start, in this order. */
export const OPENING: readonly Kind[] = [
  ...(['known', 'big', 'known', 'shared', 'credential', 'shared', 'first', 'known', 'big', 'known'] as const),
  ...(['credential', 'known', 'shared', 'first', 'shared', 'known', 'credential', 'big', 'known', 'first'] as const),
];

interface Request {
  account: string;
  market: Market;
  network: Network;
  amount: string;
  fee: string;
}

const IMPORTED_REASONS = ['资料不符，请联系客服', '流水不足', '地址存在风险', '与充值账户不一致', '用户要求取消'];

/** Creates a past withdrawal with its decision; a paid one is taken from the balance of that time. */
export function pastWithdraw(world: World, account: string, dice: Random): void {
  const held = world.markets
    .filter(sends)
    .map((market) => ({ market, active: balanceOf(world, account, market.name, PLATFORM.fund) }))
    .filter(({ market, active }) => active.mul(priceOf(world, market.name)).gte(SMALL * 2));
  if (held.length === 0) return;
  const { market, active } = dice.pick(held);
  const network = dice.chance(0.8) ? habit(world, account, market) : sendable(market, 'first', dice);
  const fee = network.fee ?? market.withdrawFee;
  const amount = pastAmount(market, active, dice);
  if (new D(amount).lt(D.max(market.withdrawMin, new D(fee).mul(2))) || active.lt(amount)) return;
  const no = numbered(world, 'P', count(world, 'imported'));
  const state = dice.weighted([[4, 86] as const, [5, 6] as const, [6, 4] as const, [9, 4] as const]);
  const to = pastPayee(world, account, network.network, no, dice);
  const note = memo(network.network, draw(world, 'memo', to));
  const row = { no, account, market: market.name, network: network.network, address: to, amount, fee, state };
  const decided = state === 6 ? {} : pastDecision(world, new D(amount).mul(priceOf(world, market.name)).gt(BIG), dice);
  const end = {
    4: { txHash: txHash(network.network, dice), booked: true },
    5: { reason: dice.pick(IMPORTED_REASONS) },
    6: {},
    9: { reason: '链上广播失败，已退回' },
  }[state];
  emit(world, 'withdraw.imported', no, { ...row, ...(note === undefined ? {} : { memo: note }), ...decided, ...end });
  if (state !== 4) return;
  moveBalance(world, account, market.name, PLATFORM.fund, new D(amount).neg());
  if (market.name === SETTLEMENT && to === payeeAddress(world, account, network.network)) world.veterans.add(account);
}

function pastAmount(market: Market, active: Holding['active'], dice: Random): string {
  const decimals = amountDecimals(market.name);
  const wanted = active.mul(dice.chance(0.25) ? 1 : dice.span(0.15, 0.9));
  if (market.name !== SETTLEMENT) return written(wanted, decimals);
  const round = rounded(wanted.toNumber(), dice);
  return dice.chance(0.7) && active.gte(round) ? written(round) : written(wanted, dice.pick([0, 2, 2]));
}

/** Reviewer and review time; large amounts have a second reviewer. */
function pastDecision(world: World, large: boolean, dice: Random) {
  const [by, other] = dice.chance(0.7) ? (['fuhe', 'admin'] as const) : (['admin', 'fuhe'] as const);
  const reviewedAt = Math.min(Math.floor(world.now + dice.logNormal(14, 0.9) * 60_000), world.state.startedAt);
  return large ? { by, reviewedAt, secondBy: other } : { by, reviewedAt };
}

function pastPayee(world: World, account: string, network: string, no: string, dice: Random): string {
  if (dice.chance(0.012)) return address(network, draw(world, 'shared payee', dice.int(0, 2)));
  return dice.chance(0.12) ? address(network, draw(world, 'once', no)) : payeeAddress(world, account, network);
}

/** Creates the next of the requests that wait at the start. */
export function openingWithdraw(world: World): void {
  const kind = OPENING[count(world, 'opening')];
  if (kind) request(world, kind, false);
}

export function newWithdraw(world: World): void {
  if (Object.keys(world.state.open).length >= UNDECIDED_MAX) return;
  request(world, draw(world, 'withdraw kind', world.state.counters['withdraw'] ?? 0).weighted(KINDS), true);
}

/** Emits the cancels of users that are due. */
export function stepWithdrawals(world: World): void {
  for (const [no, open] of Object.entries(world.state.open)) {
    if (open.cancelAt === 0 || open.cancelAt > world.now) continue;
    open.cancelAt = 0;
    emit(world, 'withdraw.cancelled', no, { no });
  }
}

/** Forgets a request that the server rejected or already had; a rejected one is refunded. */
export function requestAnswered(world: World, no: string, result: 'applied' | 'duplicate' | 'rejected'): void {
  const open = world.state.open[no];
  if (!open || result === 'applied') return;
  delete world.state.open[no];
  if (result === 'rejected') moveBalance(world, open.account, open.market, PLATFORM.fund, open.amount);
}

export function cancelAnswered(world: World, no: string, accepted: boolean): void {
  const open = world.state.open[no];
  if (!open || !accepted) return;
  delete world.state.open[no];
  moveBalance(world, open.account, open.market, PLATFORM.fund, open.amount);
}

/** Forgets a request once an operator has decided it (state 2 or higher). */
export function reviewed(world: World, no: string, state: number): void {
  if (state >= 2) delete world.state.open[no];
}

function request(world: World, kind: Kind, mayCancel: boolean): void {
  const number = count(world, 'withdraw');
  const dice = draw(world, 'withdraw', number);
  const asked = choose(world, kind, dice);
  if (!asked) return;
  const { account, market, network, amount, fee } = asked;
  if (kind === 'credential') changeCredential(world, account);
  const no = numbered(world, 'W', number);
  const cancelAt = mayCancel && dice.chance(CANCELLED_SHARE) ? later(world, dice, 30, 240) : 0;
  world.state.open[no] = { account, market: market.name, amount, cancelAt };
  moveBalance(world, account, market.name, PLATFORM.fund, new D(amount).neg());
  const to = payee(world, kind, account, network.network, number);
  const note = memo(network.network, draw(world, 'memo', to));
  const row = { no, account, market: market.name, network: network.network, address: to, amount, fee };
  emit(world, 'withdraw.requested', no, note === undefined ? row : { ...row, memo: note });
}

/** Chooses an account and an amount for a request; undefined if no balance is large enough. */
function choose(world: World, kind: Kind, dice: Random): Request | undefined {
  const busy = new Set(Object.values(world.state.open).map((open) => open.account));
  const least = kind === 'big' ? BIG * 1.2 : SMALL * 2;
  const markets = new Map(world.markets.filter(sends).map((market) => [market.name, market]));
  const held = holdings(world, PLATFORM.fund).filter(
    (one) =>
      markets.has(one.market) &&
      one.active.mul(priceOf(world, one.market)).gte(least) &&
      ((kind !== 'big' && kind !== 'shared') || one.market === SETTLEMENT),
  );
  // Prefers accounts without an open request and, for `known`, accounts with an earlier payout.
  const fitting = [
    held.filter((one) => !busy.has(one.account) && (kind !== 'known' || knows(one, world.veterans))),
    held.filter((one) => !busy.has(one.account)),
    held,
  ].find((some) => some.length > 0);
  if (!fitting) return undefined;
  const { account, market: name, active } = dice.pick(fitting);
  const market = markets.get(name);
  if (!market) return undefined;
  const network = kind === 'known' ? habit(world, account, market) : sendable(market, kind, dice);
  const fee = network.fee ?? market.withdrawFee;
  const amount = requestAmount(world, kind, active, market, fee, dice);
  return amount === undefined ? undefined : { account, market, network, amount, fee };
}

const sends = (market: Market): boolean => market.withdraw && market.networks.some((network) => network.withdraw);

const knows = (one: Holding, veterans: ReadonlySet<string>): boolean =>
  one.market === SETTLEMENT && veterans.has(one.account);

function requestAmount(
  world: World,
  kind: Kind,
  active: Holding['active'],
  market: Market,
  fee: string,
  dice: Random,
): string | undefined {
  const price = priceOf(world, market.name);
  const low = D.max(market.withdrawMin, new D(fee).mul(2), new D(kind === 'big' ? BIG * 1.02 : SMALL).div(price));
  // Most requests stay below the four-eyes limit; big ones exceed it on purpose.
  const usual = kind === 'big' ? new D(dice.int(300, 1_800)).mul(50) : new D(BIG * 0.97).div(price);
  const high = D.min(active, usual, market.withdrawMax ?? active);
  if (high.lt(low)) return undefined;
  const wanted = D.min(D.max(active.mul(dice.span(0.15, 0.95)), low), high);
  const decimals = amountDecimals(market.name);
  const round = dice.chance(0.6) && market.name === SETTLEMENT ? -1 : decimals;
  const amount = round < 0 ? wanted.div(10).floor().mul(10) : new D(written(wanted, decimals));
  return written(amount.lt(low) ? wanted : amount, decimals);
}

/** The network that a user always chooses for a coin. */
function habit(world: World, account: string, market: Market): Network {
  return draw(world, 'habit', account, market.name).pick(market.networks.filter((network) => network.withdraw));
}

function sendable(market: Market, kind: Kind, dice: Random): Network {
  const open = market.networks.filter((network) => network.withdraw);
  // Accounts that share an address must use the same network.
  return (kind === 'shared' ? open[0] : undefined) ?? dice.pick(open);
}

function payee(world: World, kind: Kind, account: string, network: string, number: number): string {
  if (kind === 'first') return address(network, draw(world, 'new payee', number));
  if (kind !== 'shared') return payeeAddress(world, account, network);
  const shared = count(world, 'shared');
  return address(network, draw(world, 'shared payee', shared < 4 ? Math.floor(shared / 2) : shared % 3));
}

const payeeAddress = (world: World, account: string, network: string): string =>
  address(network, draw(world, 'payee', account, network));
