import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { Ack } from '@hengtai/contract/gateway/schema';
import { WALLET_FAULTS, type WalletFault } from '@hengtai/contract/gateway/simulator';
import { createTxHash } from './chain.ts';
import type { Random } from './random.ts';
import type { Outcome, Payout } from './state.ts';
import { refusePayout, releasePayout } from './wallet-signing.ts';
import { pay, reorganise } from './wallets/moves.ts';
import { randomFor, emit, timeFromNow, type World } from './world.ts';

type PayoutCommand = Extract<PlatformCommand, { type: 'withdraw.payout' }>;

/** Number of payouts kept. Resending a forgotten one is harmless, because its events have the same ids. */
const PAYOUTS_MAX = 5_000;
/** Seconds until a late answer: longer than payouts stay under way by default, 30 minutes. */
const LATE_SECONDS = [1_900, 4_000] as const;
const PAID_SECONDS = [3, 9] as const;
const SECOND_SECONDS = [60, 600] as const;
/** Factor on the failure rates for later attempts. */
const RETRY_FACTOR = 0.2;
/** Share of payouts whose block the chain replaces. */
const REORGANISED_SHARE = 0.004;
const SHORT = '热钱包余额不足';
const FAILURES = [SHORT, '链上广播失败', '矿工费过低，交易被丢弃'];
const REFUSALS = ['地址格式校验未通过', '热钱包维护中', '目标地址不可用'];

/**
 * Handles a payout command. A repeated withdrawal and attempt gets the same ack and is not paid again. With a roster, only
 * what verifies is paid. Whatever was not paid is released for another attempt.
 */
export function payOut(world: World, { id, data }: PayoutCommand): Ack | undefined {
  const key = `${data.no}#${data.attempt}`;
  const existing = world.state.payouts[key];
  const refusal = existing ? undefined : refusePayout(world, data);
  if (refusal !== undefined) return { id, state: 'failed', reason: refusal };
  const payout = existing ?? createPayout(world, data);
  if (!existing) world.state.payouts[key] = payout;
  if (payout.outcome !== 'paid') releasePayout(world, data.no, data.attempt);
  switch (payout.outcome) {
    case 'silent':
      return undefined;
    case 'refused':
      return { id, state: 'failed', reason: randomFor(world, 'refusal', key).pick(REFUSALS) };
    case 'doubtful':
      return { id, state: 'unknown', reason: '节点超时，广播结果未知' };
    default:
      return { id, state: 'done' };
  }
}

/** Advances every due payout by one stage. */
export function stepWallet(world: World): void {
  for (const payout of Object.values(world.state.payouts)) {
    if (payout.stage === 'ended' || payout.due > world.now) continue;
    advance(world, payout);
  }
}

function createPayout(world: World, data: PayoutCommand['data']): Payout {
  const dice = randomFor(world, 'payout', data.no, data.attempt);
  const outcome = chooseOutcome(world, dice.next(), data.attempt);
  const fault = outcome === 'paid' ? chooseFault(world, data) : undefined;
  const { no, attempt, market, network, address, memo, amount } = data;
  const payment = { no, attempt, market, network, address, memo, amount };
  forgetOldest(world.state.payouts);
  return {
    no: data.no,
    attempt: data.attempt,
    outcome,
    txHash: createTxHash(data.network, dice),
    stage: outcome === 'paid' || outcome === 'failed' ? 'accepted' : 'ended',
    due: timeFromNow(world, dice, 1, 4),
    ...(outcome === 'paid' && { payment }),
    ...(fault && { fault }),
  };
}

/** At most one fault of a payout, each with its share. */
function chooseFault(world: World, { no, attempt }: PayoutCommand['data']): WalletFault | undefined {
  let rest = randomFor(world, 'wallet fault', no, attempt).next();
  return WALLET_FAULTS.find((fault) => (rest -= world.options.walletFaults[fault] ?? 0) < 0);
}

function chooseOutcome(world: World, at: number, attempt: number): Outcome {
  const ease = attempt > 1 ? RETRY_FACTOR : 1;
  const fail = world.options.fail * ease;
  const unknown = world.options.unknown * ease;
  if (at < fail / 2) return 'failed';
  if (at < fail) return 'refused';
  if (at < fail + unknown / 2) return 'silent';
  if (at < fail + unknown) return 'doubtful';
  return 'paid';
}

function advance(world: World, payout: Payout): void {
  const { no, attempt, txHash, fault } = payout;
  const key = `${no}#${attempt}`;
  const dice = randomFor(world, 'broadcast', no, attempt);
  const failure = payout.stage === 'accepted' ? findFailure(world, payout, dice) : undefined;
  if (failure !== undefined) {
    emit(world, 'withdraw.failed', key, { no, attempt, reason: failure });
    payout.stage = 'ended';
  } else if (payout.stage === 'accepted') {
    emit(world, 'withdraw.paying', key, { no, attempt, txHash });
    payout.stage = fault === 'silent' ? 'ended' : 'paying';
    const [low, high] = fault === 'late' ? LATE_SECONDS : PAID_SECONDS;
    payout.due = timeFromNow(world, dice, low, high);
  } else if (payout.stage === 'paying') {
    if (payout.moved && dice.chance(REORGANISED_SHARE)) reorganise(world, payout.moved);
    emit(world, 'withdraw.paid', key, { no, attempt, txHash, ...feeOf(payout) });
    payout.stage = fault === 'second' ? 'paid' : 'ended';
    payout.due = timeFromNow(world, dice, ...SECOND_SECONDS);
  } else {
    const second = createSecondHash(txHash);
    if (broadcast(world, payout, second))
      emit(world, 'withdraw.paid', `${key}#second`, { no, attempt, txHash: second, ...feeOf(payout) });
    payout.stage = 'ended';
  }
  if (payout.stage !== 'ended') return;
  delete payout.payment;
  delete payout.moved;
}

/** Pays on the chain. @returns why it is not paid, in Chinese */
function findFailure(world: World, payout: Payout, dice: Random): string | undefined {
  if (payout.outcome === 'failed') return dice.pick(FAILURES);
  if (broadcast(world, payout, payout.txHash)) return undefined;
  releasePayout(world, payout.no, payout.attempt);
  return SHORT;
}

/** Moves the money, where wallets are reported. False if the hot wallet has too little. */
function broadcast(world: World, payout: Payout, txHash: string): boolean {
  if (!world.state.treasury || !payout.payment) return true;
  const moved = pay(world, payout.payment, txHash);
  if (moved) payout.moved = moved;
  return moved !== undefined;
}

/** What the chain took, as `withdraw.paid` states it. */
const feeOf = ({ moved }: Payout): { chainFee?: string; feeMarket?: string } => ({
  ...(moved?.fee !== undefined && { chainFee: moved.fee }),
  ...(moved?.feeMarket !== undefined && { feeMarket: moved.feeMarket }),
});

/** Another transaction in the alphabet of the network. */
const createSecondHash = (txHash: string): string => `${txHash.slice(0, 2)}${txHash.slice(4)}${txHash.slice(2, 4)}`;

function forgetOldest(payouts: Record<string, Payout>): void {
  const keys = Object.keys(payouts);
  if (keys.length < PAYOUTS_MAX) return;
  const oldest = keys.find((key) => payouts[key]?.stage === 'ended');
  if (oldest !== undefined) delete payouts[oldest];
}
