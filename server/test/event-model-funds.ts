import type { ModelEvent, Recharge } from './event-model-state.ts';
import {
  type EventModel,
  type Move,
  type Plan,
  type Rule,
  LIMIT,
  ONE,
  accountOf,
  active,
  amountOf,
  frozen,
  hasField,
  house,
  least,
  move,
  numberOf,
  rejectedFor,
  textOf,
} from './event-model.ts';

/** Fund account: recharges, withdrawals, transfers, subscriptions and imported balances. */

const FUND = 1;

const rechargeFields = ['account', 'market', 'network', 'address', 'amount', 'confirmations', 'source'];

export const creditMove = ({ account, market, amount }: Recharge): Move =>
  move(house('custody', account, market), active(account, market, FUND), amount);

function newRecharge(model: EventModel, event: ModelEvent, arrives: boolean): Plan {
  const { recharges, users } = model.state;
  const no = textOf(event, 'no');
  const { account, faults } = model.named(event);
  const reasons = faults.filter((fault) => fault !== 'frozen');
  if (recharges.has(no)) reasons.push('exists');
  if (reasons.length > 0) return rejectedFor(...reasons);
  const withheld = users.get(account)?.frozen === true;
  const state = arrives ? (withheld ? 3 : 1) : 0;
  const row = { account, market: textOf(event, 'market'), amount: amountOf(event, 'amount'), state, arrived: arrives };
  const moves = state === 1 ? [creditMove(row)] : [];
  return { faults: [], moves, record: () => void recharges.set(no, row) };
}

function creditRecharge(model: EventModel, event: ModelEvent): Plan {
  const row = model.state.recharges.get(textOf(event, 'no'));
  if (!row) {
    const missing = rechargeFields.filter((field) => !hasField(event, field));
    return missing.length > 0
      ? rejectedFor(...missing.map((field) => `invalid: ${field}`))
      : newRecharge(model, event, true);
  }
  const faults: string[] = [];
  if (hasField(event, 'account') && accountOf(event) !== row.account) faults.push('invalid: account');
  if (hasField(event, 'market') && textOf(event, 'market') !== row.market) faults.push('invalid: market');
  if (hasField(event, 'amount') && amountOf(event, 'amount') !== row.amount) faults.push('invalid: amount');
  if (row.state === 1) faults.push('exists');
  const heldBefore = row.state === 3 && !row.arrived;
  if (row.state !== 0 && row.state !== 1 && !heldBefore) faults.push('state');
  if (faults.length > 0) return rejectedFor(...faults);
  const withheld = heldBefore || model.state.users.get(row.account)?.frozen === true;
  return {
    faults,
    moves: withheld ? [] : [creditMove(row)],
    record: () => Object.assign(row, { state: withheld ? 3 : 1, arrived: true }),
  };
}

const rechargeEnds =
  (from: readonly number[], to: number): Rule =>
  (model, event) => {
    const row = model.state.recharges.get(textOf(event, 'no'));
    if (!row) return rejectedFor('unknown: no');
    if (!from.includes(row.state)) return rejectedFor('state');
    const { account, market, amount } = row;
    const taken = to === 4 ? least(amount, model.freeOf(account, market, FUND)) : 0n;
    return {
      faults: [],
      moves: [move(active(account, market, FUND), house('custody', account, market), taken)],
      record: () => void (row.state = to),
    };
  };

function requestWithdrawal(model: EventModel, event: ModelEvent): Plan {
  const { withdrawals } = model.state;
  const [no, market, amount, fee] = [
    textOf(event, 'no'),
    textOf(event, 'market'),
    amountOf(event, 'amount'),
    amountOf(event, 'fee'),
  ];
  const { account, market: terms, faults } = model.named(event);
  if (withdrawals.has(no)) faults.push('exists');
  if (fee >= amount) faults.push('fee');
  if (terms && amount < terms.withdrawMin) faults.push('below min');
  if (terms && terms.withdrawMax > 0n && amount > terms.withdrawMax) faults.push('above max');
  return {
    faults,
    moves: [move(active(account, market, FUND), frozen(account, market, FUND, `withdraw ${no}`), amount)],
    record: () => void withdrawals.set(no, { account, market, amount, fee, state: 0 }),
  };
}

/** Releases the frozen amount: fully to the user, or `amount - fee` to custody and `fee` to the house. */
export function withdrawalMoves(model: EventModel, no: string, paid: boolean): Move[] {
  const row = model.state.withdrawals.get(no);
  if (!row) return [];
  const { account, market, amount, fee } = row;
  const from = frozen(account, market, FUND, `withdraw ${no}`);
  if (!paid) return [move(from, active(account, market, FUND), amount)];
  return [move(from, house('custody', account, market), amount - fee), move(from, house('fee', account, market), fee)];
}

const withdrawalBecomes =
  (from: readonly number[], to: number, money?: 'back' | 'paid'): Rule =>
  (model, event) => {
    const no = textOf(event, 'no');
    const row = model.state.withdrawals.get(no);
    if (!row) return rejectedFor('unknown: no');
    // The platform reports a payout after the refund: no money moves, the server raises an alarm.
    if (money === 'paid' && row.state === 9) return rejectedFor();
    if (!from.includes(row.state)) return rejectedFor('state');
    return {
      faults: [],
      moves: money ? withdrawalMoves(model, no, money === 'paid') : [],
      record: () => void (row.state = to),
    };
  };

function importWithdrawal(model: EventModel, event: ModelEvent): Plan {
  const { withdrawals, live } = model.state;
  const [no, market, amount, fee] = [
    textOf(event, 'no'),
    textOf(event, 'market'),
    amountOf(event, 'amount'),
    amountOf(event, 'fee'),
  ];
  const named = model.named(event);
  const { account } = named;
  const faults = named.faults.filter((fault) => fault !== 'frozen');
  if (live) faults.push('live');
  if (fee >= amount) faults.push('fee');
  if (withdrawals.has(no)) faults.push('exists');
  const state = numberOf(event, 'state');
  const from = active(account, market, FUND);
  const booked = event.data['booked'] === true && state === 4;
  return {
    faults,
    moves: booked
      ? [move(from, house('custody', account, market), amount - fee), move(from, house('fee', account, market), fee)]
      : [],
    record: () => void withdrawals.set(no, { account, market, amount, fee, state }),
  };
}

function transfer(model: EventModel, event: ModelEvent): Plan {
  const { transfers, users } = model.state;
  const [no, market, to] = [textOf(event, 'no'), textOf(event, 'market'), accountOf(event, 'toAccount')];
  const [platform, toPlatform] = [numberOf(event, 'platform'), numberOf(event, 'toPlatform')];
  const { account, faults } = model.named(event);
  if (!users.has(to)) faults.push('unknown: toAccount');
  if (users.get(to)?.frozen) faults.push('frozen');
  if (account === to && platform === toPlatform) faults.push('same account');
  if (transfers.has(no)) faults.push('exists');
  return {
    faults,
    moves: [move(active(account, market, platform), active(to, market, toPlatform), amountOf(event, 'amount'))],
    record: () => void transfers.add(no),
  };
}

function importBalance(model: EventModel, event: ModelEvent): Plan {
  const { account, faults } = model.named(event);
  const reasons = faults.filter((fault) => fault !== 'frozen');
  if (model.state.live) reasons.push('live');
  const market = textOf(event, 'market');
  const to = active(account, market, numberOf(event, 'platform'));
  return {
    faults: reasons,
    moves: [move(house('custody', account, market), to, amountOf(event, 'active'))],
    record: () => undefined,
  };
}

function subscribe(model: EventModel, event: ModelEvent, imported: boolean): Plan {
  const { subscriptions, live } = model.state;
  const [no, market, amount] = [textOf(event, 'no'), textOf(event, 'market'), amountOf(event, 'amount')];
  const named = model.named(event);
  const { account, market: terms } = named;
  const faults = imported ? named.faults.filter((fault) => fault !== 'frozen') : named.faults;
  const exact = amountOf(event, 'price') * amount;
  // Nothing is rounded, so a product with more than 18 decimals is invalid.
  if (exact % ONE !== 0n || exact / ONE >= LIMIT) faults.push('invalid: amount');
  if (market === 'USDT') faults.push('invalid: market');
  if (!imported && terms && !terms.ieo) faults.push('closed');
  if (imported && live) faults.push('live');
  if (subscriptions.has(no)) faults.push('exists');
  const state = imported ? numberOf(event, 'state') : 0;
  const row = { account, market, amount, pay: exact / ONE, state };
  const from = active(account, 'USDT', FUND);
  const booked = event.data['booked'] === true && state === 1;
  const moves = imported
    ? booked
      ? exchange(row, from)
      : []
    : [move(from, frozen(account, 'USDT', FUND, `ieo ${no}`), row.pay)];
  return { faults, moves, record: () => void subscriptions.set(no, row) };
}

const exchange = (
  { account, market, amount, pay }: { account: string; market: string; amount: bigint; pay: bigint },
  from: Move['from'],
): Move[] => [
  move(from, house('subscription', account, 'USDT'), pay),
  move(house('subscription', account, market), active(account, market, FUND), amount),
];

export function subscriptionMoves(model: EventModel, no: string, passed: boolean): Move[] {
  const row = model.state.subscriptions.get(no);
  if (!row) return [];
  const from = frozen(row.account, 'USDT', FUND, `ieo ${no}`);
  return passed ? exchange(row, from) : [move(from, active(row.account, 'USDT', FUND), row.pay)];
}

export const ledgerEntryRules: Readonly<Record<string, Rule>> = {
  'recharge.detected': (model, event) => newRecharge(model, event, false),
  'recharge.credited': creditRecharge,
  'recharge.failed': rechargeEnds([0, 3], 2),
  'recharge.reversed': rechargeEnds([1], 4),
  'withdraw.requested': requestWithdrawal,
  'withdraw.cancelled': withdrawalBecomes([0, 1], 6, 'back'),
  'withdraw.paying': withdrawalBecomes([2, 3, 8], 3),
  'withdraw.paid': withdrawalBecomes([2, 3, 7, 8], 4, 'paid'),
  'withdraw.failed': withdrawalBecomes([2, 3, 8], 7),
  'withdraw.unknown': withdrawalBecomes([2, 3, 8], 8),
  'withdraw.imported': importWithdrawal,
  'transfer.made': transfer,
  'balance.imported': importBalance,
  'ieo.ordered': (model, event) => subscribe(model, event, false),
  'ieo.imported': (model, event) => subscribe(model, event, true),
  'ieo.cancelled': (model, event) => {
    const no = textOf(event, 'no');
    const row = model.state.subscriptions.get(no);
    if (!row) return rejectedFor('unknown: no');
    if (row.state !== 0) return rejectedFor('state');
    return { faults: [], moves: subscriptionMoves(model, no, false), record: () => void (row.state = 3) };
  },
};
