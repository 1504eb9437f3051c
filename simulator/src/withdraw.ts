import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { D, roundNaturally, formatAmount } from './amount.ts';
import { type Account, createAccount } from './address.ts';
import { createMemo, createTxHash } from './chain.ts';
import { amountDecimals, priceOf } from './market.ts';
import type { Random } from './random.ts';
import { changeCredential } from './user.ts';
import { pay } from './wallets/moves.ts';
import {
  balanceOf,
  nextNumber,
  randomFor,
  emit,
  type Holding,
  listHoldings,
  timeFromNow,
  moveBalance,
  formatNo,
  type World,
} from './world.ts';
import type { Market, Network } from './records.ts';

/** No new requests while this many wait for an operator. */
const UNDECIDED_MAX = 60;
const CANCELLED_SHARE = 0.07;
/** Payees in another text than the usual one, and memos within the address. */
const OTHER_TEXT_SHARE = 0.06;
const CARRIED_SHARE = 0.3;
const LARGE = 10_000;
/** Smallest withdrawal, in value of the settlement asset; below it the fee is too high. */
const MIN_VALUE = 25;

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
export function createPastWithdraw(world: World, account: string, dice: Random): void {
  const held = world.markets
    .filter(canWithdraw)
    .map((market) => ({ market, active: balanceOf(world, account, market.name, PLATFORM.fund) }))
    .filter(({ market, active }) => active.mul(priceOf(world, market.name)).gte(MIN_VALUE * 2));
  if (held.length === 0) return;
  const { market, active } = dice.pick(held);
  const network = dice.chance(0.8) ? usualNetworkOf(world, account, market) : chooseNetwork(market, 'first', dice);
  const fee = network.fee ?? market.withdrawFee;
  const amount = choosePastAmount(market, active, dice);
  if (new D(amount).lt(D.max(market.withdrawMin, new D(fee).mul(2))) || active.lt(amount)) return;
  const no = formatNo(world, 'P', nextNumber(world, 'imported'));
  const state = dice.weighted([[4, 86] as const, [5, 6] as const, [6, 4] as const, [9, 4] as const]);
  const to = choosePastPayee(world, account, network.network, no, dice);
  const payee = writePayee(world, network.network, to, no);
  const row = { no, account, market: market.name, network: network.network, ...payee, amount, fee, state };
  const decision =
    state === 6 ? {} : choosePastDecision(world, new D(amount).mul(priceOf(world, market.name)).gt(LARGE), dice);
  const txHash = createTxHash(network.network, dice);
  const end = {
    4: { txHash, booked: true },
    5: { reason: dice.pick(IMPORTED_REASONS) },
    6: {},
    9: { reason: '链上广播失败，已退回' },
  }[state];
  emit(world, 'withdraw.imported', no, { ...row, ...decision, ...end });
  if (state !== 4) return;
  const payment = { no, market: market.name, network: network.network, address: row.address, memo: payee.memo ?? '' };
  pay(world, { ...payment, amount: new D(amount).minus(fee).toFixed() }, txHash);
  moveBalance(world, account, market.name, PLATFORM.fund, new D(amount).neg());
  if (market.name === SETTLEMENT && to.texts[0] === payeeOf(world, account, network.network).texts[0])
    world.veterans.add(account);
}

function choosePastAmount(market: Market, active: Holding['active'], dice: Random): string {
  const decimals = amountDecimals(market.name);
  const wanted = active.mul(dice.chance(0.25) ? 1 : dice.span(0.15, 0.9));
  if (market.name !== SETTLEMENT) return formatAmount(wanted, decimals);
  const round = roundNaturally(wanted.toNumber(), dice);
  return dice.chance(0.7) && active.gte(round) ? formatAmount(round) : formatAmount(wanted, dice.pick([0, 2, 2]));
}

/** Reviewer and review time; large amounts have a second reviewer. */
function choosePastDecision(world: World, large: boolean, dice: Random) {
  const [by, other] = dice.chance(0.7) ? (['fuhe', 'admin'] as const) : (['admin', 'fuhe'] as const);
  const reviewedAt = Math.min(Math.floor(world.now + dice.logNormal(14, 0.9) * 60_000), world.state.startedAt);
  return large ? { by, reviewedAt, secondBy: other } : { by, reviewedAt };
}

function choosePastPayee(world: World, account: string, network: string, no: string, dice: Random): Account {
  if (dice.chance(0.012)) return createAccount(network, randomFor(world, 'shared payee', dice.int(0, 2)));
  return dice.chance(0.12) ? createAccount(network, randomFor(world, 'once', no)) : payeeOf(world, account, network);
}

/** Creates the next of the requests that wait at the start. */
export function createOpeningWithdraw(world: World): void {
  const kind = OPENING[nextNumber(world, 'opening')];
  if (kind) createRequest(world, kind, false);
}

export function createWithdraw(world: World): void {
  if (Object.keys(world.state.open).length >= UNDECIDED_MAX) return;
  createRequest(world, randomFor(world, 'withdraw kind', world.state.counters['withdraw'] ?? 0).weighted(KINDS), true);
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
export function onWithdrawAnswer(world: World, no: string, result: 'applied' | 'duplicate' | 'rejected'): void {
  const open = world.state.open[no];
  if (!open || result === 'applied') return;
  delete world.state.open[no];
  if (result === 'rejected') moveBalance(world, open.account, open.market, PLATFORM.fund, open.amount);
}

export function onWithdrawCancelAnswer(world: World, no: string, accepted: boolean): void {
  const open = world.state.open[no];
  if (!open || !accepted) return;
  delete world.state.open[no];
  moveBalance(world, open.account, open.market, PLATFORM.fund, open.amount);
}

/** Forgets a request once an operator has decision it (state 2 or higher). */
export function onWithdrawReviewed(world: World, no: string, state: number): void {
  if (state >= 2) delete world.state.open[no];
}

function createRequest(world: World, kind: Kind, mayCancel: boolean): void {
  const number = nextNumber(world, 'withdraw');
  const dice = randomFor(world, 'withdraw', number);
  const chosen = chooseRequest(world, kind, dice);
  if (!chosen) return;
  const { account, market, network, amount, fee } = chosen;
  if (kind === 'credential') changeCredential(world, account);
  const no = formatNo(world, 'W', number);
  const cancelAt = mayCancel && dice.chance(CANCELLED_SHARE) ? timeFromNow(world, dice, 30, 240) : 0;
  world.state.open[no] = { account, market: market.name, amount, cancelAt };
  moveBalance(world, account, market.name, PLATFORM.fund, new D(amount).neg());
  const payee = writePayee(world, network.network, choosePayee(world, kind, account, network.network, number), no);
  emit(world, 'withdraw.requested', no, {
    no,
    account,
    market: market.name,
    network: network.network,
    ...payee,
    amount,
    fee,
  });
}

/** Chooses an account and an amount for a request; undefined if no balance is large enough. */
function chooseRequest(world: World, kind: Kind, dice: Random): Request | undefined {
  const busy = new Set(Object.values(world.state.open).map((open) => open.account));
  const minimum = kind === 'big' ? LARGE * 1.2 : MIN_VALUE * 2;
  const markets = new Map(world.markets.filter(canWithdraw).map((market) => [market.name, market]));
  const held = listHoldings(world, PLATFORM.fund).filter(
    (one) =>
      markets.has(one.market) &&
      one.active.mul(priceOf(world, one.market)).gte(minimum) &&
      ((kind !== 'big' && kind !== 'shared') || one.market === SETTLEMENT),
  );
  // Prefers accounts without an open request and, for `known`, accounts with an earlier payout.
  const suitable = [
    held.filter((one) => !busy.has(one.account) && (kind !== 'known' || isKnownPayee(one, world.veterans))),
    held.filter((one) => !busy.has(one.account)),
    held,
  ].find((candidates) => candidates.length > 0);
  if (!suitable) return undefined;
  const { account, market: name, active } = dice.pick(suitable);
  const market = markets.get(name);
  if (!market) return undefined;
  const network = kind === 'known' ? usualNetworkOf(world, account, market) : chooseNetwork(market, kind, dice);
  const fee = network.fee ?? market.withdrawFee;
  const amount = chooseRequestAmount(world, kind, active, market, fee, dice);
  return amount === undefined ? undefined : { account, market, network, amount, fee };
}

const canWithdraw = (market: Market): boolean => market.withdraw && market.networks.some((network) => network.withdraw);

const isKnownPayee = (one: Holding, veterans: ReadonlySet<string>): boolean =>
  one.market === SETTLEMENT && veterans.has(one.account);

function chooseRequestAmount(
  world: World,
  kind: Kind,
  active: Holding['active'],
  market: Market,
  fee: string,
  dice: Random,
): string | undefined {
  const price = priceOf(world, market.name);
  const low = D.max(market.withdrawMin, new D(fee).mul(2), new D(kind === 'big' ? LARGE * 1.02 : MIN_VALUE).div(price));
  // Most requests stay below the four-eyes limit; big ones exceed it on purpose.
  const ceiling = kind === 'big' ? new D(dice.int(300, 1_800)).mul(50) : new D(LARGE * 0.97).div(price);
  const high = D.min(active, ceiling, market.withdrawMax ?? active);
  if (high.lt(low)) return undefined;
  const wanted = D.min(D.max(active.mul(dice.span(0.15, 0.95)), low), high);
  const decimals = amountDecimals(market.name);
  const round = dice.chance(0.6) && market.name === SETTLEMENT ? -1 : decimals;
  const amount = round < 0 ? wanted.div(10).floor().mul(10) : new D(formatAmount(wanted, decimals));
  return formatAmount(amount.lt(low) ? wanted : amount, decimals);
}

/** The network that a user always chooses for a coin. */
function usualNetworkOf(world: World, account: string, market: Market): Network {
  return randomFor(world, 'habit', account, market.name).pick(market.networks.filter((network) => network.withdraw));
}

function chooseNetwork(market: Market, kind: Kind, dice: Random): Network {
  const open = market.networks.filter((network) => network.withdraw);
  // Accounts that share an address must use the same network.
  return (kind === 'shared' ? open[0] : undefined) ?? dice.pick(open);
}

function choosePayee(world: World, kind: Kind, account: string, network: string, number: number): Account {
  if (kind === 'first') return createAccount(network, randomFor(world, 'new payee', number));
  if (kind !== 'shared') return payeeOf(world, account, network);
  const shared = nextNumber(world, 'shared');
  return createAccount(network, randomFor(world, 'shared payee', shared < 4 ? Math.floor(shared / 2) : shared % 3));
}

const payeeOf = (world: World, account: string, network: string): Account =>
  createAccount(network, randomFor(world, 'payee', account, network));

/** Writes a payee as wallets do: in the usual text, sometimes in another one, and the memo beside the address or in it. */
function writePayee(world: World, network: string, payee: Account, no: string): { address: string; memo?: string } {
  const [usual, ...others] = payee.texts;
  const dice = randomFor(world, 'text', no);
  const memo = createMemo(network, randomFor(world, 'memo', usual));
  const carried = memo !== undefined && dice.chance(CARRIED_SHARE) ? payee.withMemo(memo) : undefined;
  if (carried !== undefined) return { address: carried };
  const address = others.length > 0 && dice.chance(OTHER_TEXT_SHARE) ? dice.pick(others) : usual;
  return memo === undefined ? { address } : { address, memo };
}
