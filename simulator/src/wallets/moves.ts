import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { type Amount, D, formatAmount } from '../amount.ts';
import { chainOf, createTxHash } from '../chain.ts';
import { HOUR_MS } from '../rhythm.ts';
import { type World, emit, formatNo, nextNumber, randomFor } from '../world.ts';
import type { Arriving, LiveWallet, Payment, Treasury } from './records.ts';
import { changeWallet, findGas, heightAt, mustFindWallet } from './wallets.ts';

/** A hot or gas wallet is filled up below this share of its target. */
const LOW = 0.3;
/** Less than this share of the hot wallet's target is not moved. */
const WORTH_MOVING = 0.02;
/** So long the chain may drop a deposit; then it may be swept. */
export const DROPPABLE_MS = HOUR_MS;
/** A transaction costs at most this many usual fees. */
const MOST_FEES = 2;

type Moved = EventData['chain.moved'];
type What = Pick<Moved, 'kind' | 'txHash' | 'address' | 'memo' | 'record' | 'attempt'>;

interface Fee {
  payer: LiveWallet;
  amount: string;
}

/** The wallet that pays the fees of another one: itself, if that has the chain's coin or nobody else has. */
const payerOf = (treasury: Treasury, wallet: LiveWallet): LiveWallet =>
  chainOf(wallet.network).native === wallet.market ? wallet : (findGas(treasury, wallet) ?? wallet);

/** Whether a payer has the fee beside what else leaves it. */
const canPay = ({ payer, amount }: Fee, from: LiveWallet, leaving: Amount): boolean =>
  new D(payer.amount).gte(payer === from ? leaving.plus(amount) : amount) && new D(from.amount).gte(leaving);

function drawFee(world: World, treasury: Treasury, wallet: LiveWallet, txHash: string): Fee {
  const { fee, decimals } = chainOf(wallet.network);
  const amount = formatAmount(fee * randomFor(world, 'chain fee', txHash).span(0.7, 1.6), decimals);
  return { payer: payerOf(treasury, wallet), amount };
}

/** Changes a wallet by a move of its chain, and the one that pays the fee. */
function move(world: World, wallet: LiveWallet, amount: Amount, what: What, fee?: Fee): Moved {
  const no = formatNo(world, 'M', nextNumber(world, 'move'));
  const block = heightAt(world, wallet.network, world.now);
  const charged = fee && !new D(fee.amount).isZero() ? { fee: fee.amount, feeMarket: fee.payer.market } : {};
  const moved: Moved = { no, wallet: wallet.no, amount: amount.toFixed(), ...what, ...charged, block };
  emit(world, 'chain.moved', no, moved);
  changeWallet(wallet, amount, block);
  if (fee) changeWallet(fee.payer, new D(fee.amount).neg(), block);
  return moved;
}

/** Moves money between two wallets of the platform, if the first one has it and somebody the fee. */
function transfer(world: World, treasury: Treasury, from: LiveWallet, to: LiveWallet, amount: Amount): void {
  const txHash = createTxHash(from.network, randomFor(world, 'transfer', world.state.counters['move'] ?? 0));
  // Deposit addresses have no other coin, so the receiver's wallet pays for tokens that are swept.
  const isPaidByReceiver = payerOf(treasury, from) === from && payerOf(treasury, to) !== to;
  const fee = drawFee(world, treasury, isPaidByReceiver ? to : from, txHash);
  if (!canPay(fee, from, amount)) return;
  const between = ({ address }: LiveWallet): What => ({ kind: 'move', txHash, ...(address && { address }) });
  move(world, from, amount.neg(), between(to), isPaidByReceiver ? undefined : fee);
  move(world, to, amount, between(from), isPaidByReceiver ? fee : undefined);
}

/** Fills a wallet up to its target, or to what is needed now, from another one. */
function fillUp(world: World, treasury: Treasury, from: LiveWallet, to: LiveWallet, needed: Amount = new D(0)): void {
  const reserve = chainOf(from.network).fee * MOST_FEES;
  const wanted = D.max(to.target, needed).minus(to.amount);
  const amount = D.min(wanted, new D(from.amount).minus(reserve));
  if (amount.gt(new D(to.target).mul(WORTH_MOVING))) transfer(world, treasury, from, to, amount);
}

/** The money of a recharge arrives. */
export function receive(world: World, recharge: string, arriving: Arriving): void {
  const { treasury } = world.state;
  if (!treasury) return;
  const { market, amount, network, txHash, kind } = arriving;
  const arrival = { market, amount, network, txHash, kind, at: world.now, block: heightAt(world, network, world.now) };
  treasury.arrivals[recharge] = arrival;
  if (treasury.unreported) changeUnreported(treasury.unreported, market, new D(amount));
  else {
    const wallet = mustFindWallet(world, treasury, { kind: kind === 'deposit' ? 'deposit' : 'hot', market, network });
    const { no } = move(world, wallet, new D(amount), { kind, txHash, record: recharge });
    treasury.arrivals[recharge] = { ...arrival, no };
  }
}

/** The chain drops what arrived for a recharge. */
export function drop(world: World, recharge: string): void {
  const { treasury } = world.state;
  const arrival = treasury?.arrivals[recharge];
  if (!treasury || !arrival) return;
  delete treasury.arrivals[recharge];
  const { market, network, amount, kind, block, no } = arrival;
  if (treasury.unreported) changeUnreported(treasury.unreported, market, new D(amount).neg());
  else if (no !== undefined) {
    emit(world, 'chain.reverted', no, { no });
    const wallet = mustFindWallet(world, treasury, { kind: kind === 'deposit' ? 'deposit' : 'hot', market, network });
    changeWallet(wallet, new D(amount).neg(), block);
  }
}

function changeUnreported(unreported: Record<string, string>, market: string, change: Amount): void {
  unreported[market] = new D(unreported[market] ?? 0).plus(change).toFixed();
}

/** Pays from the hot wallet. @returns the move; undefined if the wallets have too little, or are not reported yet */
export function pay(world: World, payment: Payment, txHash: string): Moved | undefined {
  const { treasury } = world.state;
  if (!treasury) return undefined;
  const { no: record, attempt, market, network, address, memo } = payment;
  const amount = new D(payment.amount);
  if (treasury.unreported) {
    changeUnreported(treasury.unreported, market, amount.neg());
    return undefined;
  }
  const hot = mustFindWallet(world, treasury, { kind: 'hot', market, network });
  const fee = drawFee(world, treasury, hot, txHash);
  if (!canPay(fee, hot, amount)) {
    const cold = mustFindWallet(world, treasury, { kind: 'cold', market, network });
    fillUp(world, treasury, cold, hot, amount.plus(fee.payer === hot ? fee.amount : 0));
    if (!canPay(fee, hot, amount)) return undefined;
  }
  const named = { record, ...(attempt !== undefined && { attempt }) };
  return move(world, hot, amount.neg(), { kind: 'payout', txHash, address, ...(memo && { memo }), ...named }, fee);
}

/** Moves coins that an operator ordered, once. @returns whether the wallets exist and the first one has them */
export function moveOrdered(world: World, { no, from, to, amount }: CommandData['wallet.move.requested']): boolean {
  const { treasury } = world.state;
  if (!treasury) return false;
  treasury.ordered ??= [];
  if (treasury.ordered.includes(no)) return true;
  const [source, target] = [from, to].map((wallet) => treasury.wallets.find((one) => one.no === wallet));
  if (!source || !target || new D(source.amount).lt(amount)) return false;
  treasury.ordered.push(no);
  const what = {
    kind: 'move',
    txHash: createTxHash(source.network, randomFor(world, 'order', no)),
    record: no,
  } as const;
  move(world, source, new D(amount).neg(), { ...what, ...(target.address && { address: target.address }) });
  move(world, target, new D(amount), { ...what, ...(source.address && { address: source.address }) });
  return true;
}

/** The chain replaces the block of a move by another one of the same height that has the transaction as well. */
export function reorganise(world: World, moved: Moved): void {
  emit(world, 'chain.reverted', moved.no, { no: moved.no });
  const no = formatNo(world, 'M', nextNumber(world, 'move'));
  emit(world, 'chain.moved', no, { ...moved, no });
}

/** Sweeps deposit addresses, and fills up the wallets that have little. */
export function balanceWallets(world: World): void {
  const { treasury } = world.state;
  if (!treasury || treasury.unreported) return;
  for (const [recharge, { at }] of Object.entries(treasury.arrivals)) {
    // An answer that is still missing can lead to a reversal.
    const isFinal = at <= world.now - DROPPABLE_MS && world.state.recharges[recharge] === undefined;
    if (isFinal) delete treasury.arrivals[recharge];
  }
  for (const hot of treasury.wallets.filter(({ kind }) => kind === 'hot')) {
    const [cold, deposit] = (['cold', 'deposit'] as const).map((kind) =>
      mustFindWallet(world, treasury, { ...hot, kind }),
    ) as [LiveWallet, LiveWallet];
    const sweepable = sumSweepable(treasury, deposit);
    const isFull = new D(hot.amount).gte(hot.target);
    if (sweepable.gt(new D(hot.target).mul(WORTH_MOVING)) && sweepable.gt(0))
      transfer(world, treasury, deposit, isFull ? cold : hot, sweepable);
    if (isLow(hot)) fillUp(world, treasury, cold, hot);
  }
  for (const gas of treasury.wallets.filter((wallet) => wallet.kind === 'gas' && isLow(wallet)))
    fillUp(world, treasury, mustFindWallet(world, treasury, { ...gas, kind: 'hot' }), gas);
}

const isLow = ({ amount, target }: LiveWallet): boolean => new D(amount).lt(new D(target).mul(LOW));

/** What the chain can no longer drop, less what the transaction itself may cost. */
function sumSweepable(treasury: Treasury, { market, network, amount }: LiveWallet): Amount {
  const late = Object.values(treasury.arrivals).filter(
    (one) => one.market === market && one.network === network && one.kind === 'deposit',
  );
  return D.sum(amount, new D(chainOf(network).fee * MOST_FEES).neg(), ...late.map((one) => new D(one.amount).neg()));
}
