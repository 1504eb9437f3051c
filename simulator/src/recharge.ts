import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { D, roundNaturally, formatAmount } from './amount.ts';
import { createAddress } from './address.ts';
import { requiredConfirmations, createTxHash } from './chain.ts';
import { amountDecimals, priceOf } from './market.ts';
import type { Random } from './random.ts';
import { pickActiveUser } from './user.ts';
import { drawTransferSlip } from './voucher.ts';
import { drop, receive } from './wallets/moves.ts';
import type { Arriving } from './wallets/records.ts';
import { nextNumber, randomFor, emit, moveBalance, formatNo, type World } from './world.ts';
import type { User } from './records.ts';

/** Relative frequency of recharges per coin. */
const SHARES: Readonly<Record<string, number>> = { USDT: 66, ETH: 11, BTC: 9, SOL: 6, XRP: 4, HTT: 4 };
/** Minimum and maximum seconds until the chain, or the review of a voucher, decides. */
const WAITS: Readonly<Record<string, readonly [number, number]>> = {
  TRC20: [55, 170],
  ERC20: [150, 420],
  Bitcoin: [900, 2_700],
  Solana: [25, 60],
  XRPL: [15, 40],
};
const WAIT_OTHER = [180, 900] as const;
const VOUCHER_SHARE = 0.05;
const FAILED_SHARE = 0.025;
const REVERSED_SHARE = 0.004;
/** Transactions that are reported twice. */
const REPEATED_SHARE = 0.003;
const LARGEST = 400_000;
const USUAL = 420;
const FAILURES = ['链上交易失败', '交易被替换，未上链'];
const VOUCHER_FAILURES = ['凭证与到账金额不符', '未查到该笔转账', '付款人与实名不一致'];

export interface Draft {
  data: EventData['recharge.detected'];
  end: 'credited' | 'failed';
  remark: string | undefined;
  /** Seconds until `end` is reached. */
  wait: number;
  /** Confirmations required on its chain. */
  confirmations: number;
  /** Absent if no money arrives. */
  arriving?: Arriving;
}

/** Draws the next recharge of a user; undefined if no market accepts recharges. */
export function generateRecharge(world: World, user: User): Draft | undefined {
  const number = nextNumber(world, 'recharge');
  const dice = randomFor(world, 'recharge', number);
  const open = world.markets.filter((one) => one.recharge && one.networks.some((network) => network.recharge));
  if (open.length === 0) return undefined;
  const market = dice.weighted(open.map((one) => [one, SHARES[one.name] ?? 1] as const));
  const listed = market.networks.filter((one) => one.recharge);
  const { network } = dice.weighted(listed.map((one, index) => [one, index === 0 ? 4 : 1] as const));
  const no = formatNo(world, 'R', number);
  const { account } = user;
  const amount = chooseRechargeAmount(world, dice, market.name, user);
  const failed = dice.chance(FAILED_SHARE);
  const end = failed ? 'failed' : 'credited';
  if (market.name === SETTLEMENT && user.wealth < 10 && dice.chance(VOUCHER_SHARE)) {
    const { bank, card, picture } = drawTransferSlip(dice, amount, world.now - dice.int(60, 900) * 1_000, account);
    const data = {
      no,
      account,
      market: market.name,
      network: bank,
      address: card,
      amount,
      confirmations: 0,
      source: 2 as const,
    };
    const remark = failed ? dice.pick(VOUCHER_FAILURES) : undefined;
    const draft = {
      data: { ...data, voucher: picture },
      end,
      remark,
      wait: dice.span(240, 1_500),
      confirmations: 0,
    } as const;
    const txHash = createTxHash(network, randomFor(world, 'desk', no));
    return { ...draft, arriving: { market: market.name, amount, network, txHash, kind: 'other' } };
  }
  const needed = requiredConfirmations(network);
  const txHash = createTxHash(network, dice);
  const data = {
    no,
    account,
    market: market.name,
    network,
    // Each user has one own deposit address per network.
    address: createAddress(network, randomFor(world, 'own address', account, network)),
    txHash,
    amount,
    confirmations: dice.int(0, Math.max(needed - 1, 0)),
    source: 1 as const,
  };
  const wait = dice.span(...(WAITS[network] ?? WAIT_OTHER));
  const remark = failed ? dice.pick(FAILURES) : undefined;
  const arriving = { market: market.name, amount, network, txHash, kind: 'deposit' } as const;
  return { data, end, remark, wait, confirmations: needed, arriving };
}

/** Starts a recharge of a random paying user, on chain or with a voucher. */
export function createRecharge(world: World): void {
  const dice = randomFor(world, 'recharger', world.state.counters['recharge'] ?? 0);
  let user = pickActiveUser(world, dice);
  for (let tries = 0; user.wealth === 0 && tries < 20; tries += 1) user = pickActiveUser(world, dice);
  const draft = generateRecharge(world, user);
  if (!draft) return;
  const due = world.now + (draft.wait * 1_000) / world.options.speed;
  emitDetected(world, draft, due);
  const { data } = draft;
  if (data.source !== 1 || !randomFor(world, 'repeated', data.no).chance(REPEATED_SHARE)) return;
  // A platform whose scanner reports one transaction under two numbers.
  const no = formatNo(world, 'R', nextNumber(world, 'recharge'));
  const { arriving: _once, ...again } = draft;
  emitDetected(world, { ...again, data: { ...data, no } }, due);
}

/** Emits a detected recharge that is concluded at `due` (Unix ms). */
export function emitDetected(world: World, draft: Draft, due: number): void {
  const { data, end, remark, confirmations: needed, arriving } = draft;
  const { no, account, market, amount } = data;
  const pending = { account, market, amount, due: Math.round(due), end, confirmations: needed };
  world.state.recharges[no] = { ...pending, ...(remark !== undefined && { remark }), ...(arriving && { arriving }) };
  emit(world, 'recharge.detected', no, data);
}

/** Emits a recharge as one credited event. */
export function emitCredited(world: World, { data, confirmations: confirmed, arriving }: Draft): void {
  if (arriving) receive(world, data.no, arriving);
  emit(world, 'recharge.credited', data.no, { ...data, confirmations: confirmed });
}

/** Concludes the recharges that are due. */
export function stepRecharges(world: World): void {
  for (const [no, pending] of Object.entries(world.state.recharges)) {
    if (pending.due > world.now || pending.due === 0) continue;
    finishRecharge(world, no);
  }
}

export function finishRecharge(world: World, no: string): void {
  const pending = world.state.recharges[no];
  if (!pending) return;
  // The entry is deleted after the server's answer; 0 prevents a second conclusion.
  pending.due = 0;
  const { end, remark, confirmations: needed, arriving } = pending;
  if (end === 'credited' && arriving) receive(world, no, arriving);
  if (end === 'credited') emit(world, 'recharge.credited', no, { no, confirmations: needed });
  else emit(world, 'recharge.failed', no, remark === undefined ? { no } : { no, remark });
}

/** Books the recharge if the server accepted its credit, and sometimes reverses it. */
export function onRechargeAnswer(world: World, no: string, credited: boolean): void {
  const pending = world.state.recharges[no];
  if (!pending) return;
  delete world.state.recharges[no];
  if (!credited) return;
  moveBalance(world, pending.account, pending.market, PLATFORM.fund, pending.amount);
  if (isReversed(world, no)) reverseRecharge(world, no, pending);
}

export const isReversed = (world: World, no: string): boolean =>
  randomFor(world, 'reversed', no).chance(REVERSED_SHARE);

export function reverseRecharge(
  world: World,
  no: string,
  what: { account: string; market: string; amount: string },
): void {
  moveBalance(world, what.account, what.market, PLATFORM.fund, new D(what.amount).neg());
  drop(world, no);
  emit(world, 'recharge.reversed', no, { no, remark: '区块重组，充值交易已失效' });
}

function chooseRechargeAmount(world: World, dice: Random, market: string, user: User): string {
  const value = Math.min(Math.max(dice.logNormal(USUAL, 0.75) * Math.max(user.wealth, 0.15), 12), LARGEST);
  const decimals = amountDecimals(market);
  // People send round amounts more often than not; exchanges and wallets send exact ones.
  if (market === SETTLEMENT)
    return dice.chance(0.68) ? formatAmount(roundNaturally(value, dice)) : formatAmount(value, dice.pick([2, 2, 4, 6]));
  const coins = new D(value).div(priceOf(world, market));
  if (dice.chance(0.4)) return D.max(coins.toSignificantDigits(dice.int(1, 2)), new D(10).pow(-decimals)).toFixed();
  return formatAmount(coins, decimals);
}
