import type { PlatformEvent } from '../../../clients/typescript/src/index.ts';
import { decimalText, fromUnits, toUnits } from '../shared/decimal.ts';
import { fillEvents } from '../shared/spot.ts';
import { timeOf } from '../shared/time.ts';
import {
  type Names,
  type PeatioDeposit,
  type PeatioEvent,
  type PeatioTrade,
  type PeatioWithdraw,
  TRADE_SIDES,
} from './messages.ts';

type DepositStep = 'detected' | 'credited' | 'failed';
type WithdrawStep = 'requested' | 'cancelled' | 'paying' | 'paid' | 'failed' | 'unknown';

/** What the back office must know once a deposit is in a state. After `accepted` Peatio only moves coins between its wallets. */
const DEPOSIT_STEPS: Readonly<Record<string, DepositStep>> = {
  submitted: 'detected',
  accepted: 'credited',
  aml_processing: 'credited',
  aml_suspicious: 'credited',
  processing: 'credited',
  fee_processing: 'credited',
  skipped: 'credited',
  errored: 'credited',
  collected: 'credited',
  canceled: 'failed',
  rejected: 'failed',
};

/**
 * The same for withdrawals, earlier steps included: if the message of one is missing, a later one makes up for it. In
 * `prepared` no money is locked yet.
 */
const WITHDRAW_STEPS: Readonly<Record<string, readonly WithdrawStep[]>> = {
  submitted: ['requested'],
  accepted: ['requested'],
  skipped: ['requested'],
  processing: ['requested', 'paying'],
  confirming: ['requested', 'paying'],
  errored: ['requested', 'unknown'],
  succeed: ['requested', 'paid'],
  failed: ['requested', 'failed'],
  canceled: ['cancelled'],
  rejected: ['cancelled'],
};

/** Second coin of every mapped market. */
const SETTLEMENT = 'usdt';

/** Whether an event was made before. */
type Known = (eventId: string) => boolean;

/**
 * The events of the gateway for a message of Peatio; none if it says nothing to the back office. Ids are derived from Peatio's
 * own numbers and not from the message, so that a message that is published twice gives the same ids.
 *
 * @param id `jti` of the message
 * @throws if the message lacks a field
 */
export function mapEvent(event: PeatioEvent, id: string, names: Names, isKnown: Known): PlatformEvent[] {
  if (event.name.startsWith('model.deposit.')) return mapDeposit(event['record'] as PeatioDeposit, names);
  if (event.name.startsWith('model.withdraw.')) return mapWithdraw(event['record'] as PeatioWithdraw, names, isKnown);
  if (event.name.endsWith('.trade_completed')) return mapTrade(event as unknown as PeatioTrade, id, names);
  return [];
}

/** Peatio sends no event about members, so the first event about one registers it. */
const registered = (uid: string, at: number): PlatformEvent => ({
  eventId: `peatio:user:${uid}`,
  type: 'user.registered',
  at,
  data: { account: uid },
});

function mapDeposit(deposit: PeatioDeposit, { currencies }: Names): PlatformEvent[] {
  const { tid, uid, currency, amount, state, blockchain_address, blockchain_txid, blockchain_confirmations } = deposit;
  const coin = currencies[currency];
  const step = DEPOSIT_STEPS[state];
  if (!coin || !step) return [];
  const at = timeOf(step === 'detected' ? deposit.created_at : deposit.updated_at);
  const head = { eventId: `peatio:deposit:${tid}:${step}`, at };
  if (step === 'failed') {
    const remark = `Peatio: ${state}`;
    return [{ ...head, type: 'recharge.failed', data: { no: tid, remark } }];
  }
  const data = {
    no: tid,
    account: uid,
    ...coin,
    address: blockchain_address ?? '-',
    ...(blockchain_txid ? { txHash: blockchain_txid } : {}),
    amount: decimalText(amount),
    confirmations: blockchain_confirmations ?? 0,
    source: 1 as const,
  };
  return [registered(uid, timeOf(deposit.created_at)), { ...head, type: `recharge.${step}`, data }];
}

function mapWithdraw(withdraw: PeatioWithdraw, { currencies }: Names, isKnown: Known): PlatformEvent[] {
  const coin = currencies[withdraw.currency];
  const steps = WITHDRAW_STEPS[withdraw.state] ?? [];
  if (!coin) return [];
  const idOf = (step: WithdrawStep): string => `peatio:withdraw:${withdraw.tid}:${step}`;
  // A withdrawal that ended before its money was locked was never reported.
  if (steps.includes('cancelled') && !isKnown(idOf('requested'))) return [];
  const events = steps.map((step) => ({ eventId: idOf(step), ...withdrawStep(step, withdraw, coin) }) as PlatformEvent);
  return steps.includes('requested') ? [registered(withdraw.uid, timeOf(withdraw.created_at)), ...events] : events;
}

function withdrawStep(step: WithdrawStep, withdraw: PeatioWithdraw, coin: { market: string; network: string }) {
  const { tid: no, uid, rid, amount, fee, state, blockchain_txid } = withdraw;
  const txHash = blockchain_txid ? { txHash: blockchain_txid } : {};
  const at = timeOf(step === 'requested' ? withdraw.created_at : withdraw.updated_at);
  if (step === 'requested') {
    const cost = { amount: fromUnits(toUnits(amount) + toUnits(fee)), fee: decimalText(fee) };
    return { type: 'withdraw.requested', at, data: { no, account: uid, ...coin, address: rid, ...cost } };
  }
  if (step === 'paying') return { type: 'withdraw.paying', at, data: { no, ...txHash } };
  // The back office wants a hash of every payment; Peatio has none for coins that leave by another way than a chain.
  if (step === 'paid') return { type: 'withdraw.paid', at, data: { no, txHash: blockchain_txid ?? no } };
  if (step === 'cancelled') return { type: 'withdraw.cancelled', at, data: { no } };
  return { type: `withdraw.${step}`, at, data: { no, reason: `Peatio: ${state}` } };
}

function mapTrade(trade: PeatioTrade, messageId: string, { markets }: Names): PlatformEvent[] {
  const market = markets[trade.market];
  if (market === undefined) return [];
  const id = String(trade.id ?? messageId);
  const at = timeOf(trade.completed_at);
  const price = decimalText(trade.price);
  const sides = TRADE_SIDES.flatMap((name) => {
    const account = trade[`${name}_uid`];
    if (account === undefined) return [];
    const isSell = trade[`${name}_income_unit`] === SETTLEMENT;
    const side = isSell ? ('sell' as const) : ('buy' as const);
    const amount = decimalText((isSell ? trade[`${name}_outcome_amount`] : trade[`${name}_income_amount`]) ?? '');
    const fee = decimalText(trade[`${name}_income_fee`] ?? '0');
    return [{ no: `T${id}-${side}`, account, market, side, price, amount, fee, at }];
  });
  const [first] = sides;
  if (sides.length !== 2 || !first) throw new Error(`trade ${id} has ${sides.length} sides`);
  return [
    { eventId: `peatio:trade:${id}:tick`, type: 'tick', at, data: { market, price, volume: first.amount, at } },
    ...sides.flatMap((fill) => [registered(fill.account, at), ...fillEvents(fill, `peatio:trade:${id}:${fill.side}`)]),
  ];
}
