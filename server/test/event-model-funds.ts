import type { ModelEvent, Recharge, Withdrawal } from './event-model-state.ts';
import {
  type EventModel,
  type Move,
  type Effect,
  type Rule,
  LIMIT,
  ONE,
  accountOf,
  activeAccount,
  amountOf,
  frozenAccount,
  hasField,
  houseAccount,
  minOf,
  move,
  numberOf,
  reject,
  textOf,
} from './event-model.ts';

/** Fund account: recharges, withdrawals, transfers, subscriptions and imported balances. */

const FUND = 1;

const rechargeFields = ['account', 'market', 'network', 'address', 'amount', 'confirmations', 'source'];

export const creditMove = ({ account, market, amount }: Recharge): Move =>
  move(houseAccount('custody', account, market), activeAccount(account, market, FUND), amount);

function newRecharge(model: EventModel, event: ModelEvent, hasArrived: boolean): Effect {
  const { recharges, users } = model.state;
  const no = textOf(event, 'no');
  const { account, faults } = model.resolveNames(event);
  const reasons = faults.filter((fault) => fault !== 'frozen');
  if (recharges.has(no)) reasons.push('exists');
  if (reasons.length > 0) return reject(...reasons);
  const isWithheld = users.get(account)?.frozen === true;
  const state = hasArrived ? (isWithheld ? 3 : 1) : 0;
  const row = { account, market: textOf(event, 'market'), amount: amountOf(event, 'amount'), state, hasArrived };
  const moves = state === 1 ? [creditMove(row)] : [];
  return { faults: [], moves, record: () => void recharges.set(no, row) };
}

function creditRecharge(model: EventModel, event: ModelEvent): Effect {
  const row = model.state.recharges.get(textOf(event, 'no'));
  if (!row) {
    const missing = rechargeFields.filter((field) => !hasField(event, field));
    return missing.length > 0
      ? reject(...missing.map((field) => `invalid: ${field}`))
      : newRecharge(model, event, true);
  }
  const faults: string[] = [];
  if (hasField(event, 'account') && accountOf(event) !== row.account) faults.push('invalid: account');
  if (hasField(event, 'market') && textOf(event, 'market') !== row.market) faults.push('invalid: market');
  if (hasField(event, 'amount') && amountOf(event, 'amount') !== row.amount) faults.push('invalid: amount');
  if (row.state === 1) faults.push('exists');
  const wasHeld = row.state === 3 && !row.hasArrived;
  if (row.state !== 0 && row.state !== 1 && !wasHeld) faults.push('state');
  if (faults.length > 0) return reject(...faults);
  const isWithheld = wasHeld || model.state.users.get(row.account)?.frozen === true;
  return {
    faults,
    moves: isWithheld ? [] : [creditMove(row)],
    record: () => Object.assign(row, { state: isWithheld ? 3 : 1, hasArrived: true }),
  };
}

const rechargeEndRule =
  (from: readonly number[], to: number): Rule =>
  (model, event) => {
    const no = textOf(event, 'no');
    const row = model.state.recharges.get(no);
    if (!row) return reject('unknown: no');
    if (!from.includes(row.state)) return reject('state');
    const { account, market, amount } = row;
    const reversed = to === 4 ? minOf(amount, model.freeOf(account, market, FUND)) : 0n;
    return {
      faults: [],
      moves: [move(activeAccount(account, market, FUND), houseAccount('custody', account, market), reversed)],
      record: () => {
        row.state = to;
        if (to === 4 && reversed < amount) model.state.shortfalls.set(no, account);
      },
    };
  };

function requestWithdrawal(model: EventModel, event: ModelEvent): Effect {
  const { withdrawals } = model.state;
  const [no, market, amount, fee] = [
    textOf(event, 'no'),
    textOf(event, 'market'),
    amountOf(event, 'amount'),
    amountOf(event, 'fee'),
  ];
  const { account, market: terms, faults } = model.resolveNames(event);
  if (withdrawals.has(no)) faults.push('exists');
  if (fee >= amount) faults.push('fee');
  if (terms && amount < terms.withdrawMin) faults.push('below min');
  if (terms && terms.withdrawMax > 0n && amount > terms.withdrawMax) faults.push('above max');
  return {
    faults,
    moves: [move(activeAccount(account, market, FUND), frozenAccount(account, market, FUND, `withdraw ${no}`), amount)],
    record: () =>
      void withdrawals.set(no, { account, market, network: textOf(event, 'network'), amount, fee, state: 0 }),
  };
}

/** Releases the frozen amount: fully to the user, or `amount - fee` to custody and `fee` to the house. */
export function withdrawalMoves(model: EventModel, no: string, isPaid: boolean): Move[] {
  const row = model.state.withdrawals.get(no);
  if (!row) return [];
  const { account, market, amount, fee } = row;
  const from = frozenAccount(account, market, FUND, `withdraw ${no}`);
  if (!isPaid) return [move(from, activeAccount(account, market, FUND), amount)];
  return [
    move(from, houseAccount('custody', account, market), amount - fee),
    move(from, houseAccount('fee', account, market), fee),
  ];
}

/** What the chain took for a payment: posted once for each transaction, if the coin exists. */
function chainFee(model: EventModel, event: ModelEvent, row: Withdrawal): Omit<Effect, 'faults'> {
  const transaction = `${row.network} ${textOf(event, 'txHash')}`;
  const amount = hasField(event, 'chainFee') ? amountOf(event, 'chainFee') : 0n;
  if (amount === 0n || model.state.chainFees.has(transaction)) return { moves: [], record: () => undefined };
  const market = hasField(event, 'feeMarket') ? textOf(event, 'feeMarket') : row.market;
  const [from, to] = [houseAccount('chainFee', row.account, market), houseAccount('custody', row.account, market)];
  const moves = model.terms.markets.has(market) ? [move(from, to, amount)] : [];
  return { moves, record: () => void model.state.chainFees.add(transaction) };
}

const withdrawalRule =
  (from: readonly number[], to: number, money?: 'back' | 'paid'): Rule =>
  (model, event) => {
    const no = textOf(event, 'no');
    const row = model.state.withdrawals.get(no);
    if (!row) return reject('unknown: no');
    const chain = money === 'paid' ? chainFee(model, event, row) : { moves: [], record: () => undefined };
    // The platform reports a payout after the refund: no money of the user moves, the server raises an alarm.
    if (money === 'paid' && row.state === 9) return { faults: [], ...chain };
    if (money === 'paid' && row.state === 0) model.state.unexplained.add(no);
    if (!from.includes(row.state) || (money === 'back' && model.state.unexplained.has(no))) return reject('state');
    return {
      faults: [],
      moves: [...(money ? withdrawalMoves(model, no, money === 'paid') : []), ...chain.moves],
      record: () => {
        row.state = to;
        chain.record();
      },
    };
  };

function importWithdrawal(model: EventModel, event: ModelEvent): Effect {
  const { withdrawals, isLive } = model.state;
  const [no, market, amount, fee] = [
    textOf(event, 'no'),
    textOf(event, 'market'),
    amountOf(event, 'amount'),
    amountOf(event, 'fee'),
  ];
  const names = model.resolveNames(event);
  const { account } = names;
  const faults = names.faults.filter((fault) => fault !== 'frozen');
  if (isLive) faults.push('live');
  if (fee >= amount) faults.push('fee');
  if (withdrawals.has(no)) faults.push('exists');
  const state = numberOf(event, 'state');
  const from = activeAccount(account, market, FUND);
  const isBooked = event.data['booked'] === true && state === 4;
  return {
    faults,
    moves: isBooked
      ? [
          move(from, houseAccount('custody', account, market), amount - fee),
          move(from, houseAccount('fee', account, market), fee),
        ]
      : [],
    record: () => void withdrawals.set(no, { account, market, network: textOf(event, 'network'), amount, fee, state }),
  };
}

function transfer(model: EventModel, event: ModelEvent): Effect {
  const { transfers, users } = model.state;
  const [no, market, to] = [textOf(event, 'no'), textOf(event, 'market'), accountOf(event, 'toAccount')];
  const [platform, toPlatform] = [numberOf(event, 'platform'), numberOf(event, 'toPlatform')];
  const { account, faults } = model.resolveNames(event);
  if (!users.has(to)) faults.push('unknown: toAccount');
  if (users.get(to)?.frozen) faults.push('frozen');
  if (account === to && platform === toPlatform) faults.push('same account');
  if (transfers.has(no)) faults.push('exists');
  return {
    faults,
    moves: [
      move(activeAccount(account, market, platform), activeAccount(to, market, toPlatform), amountOf(event, 'amount')),
    ],
    record: () => void transfers.add(no),
  };
}

function importBalance(model: EventModel, event: ModelEvent): Effect {
  const { account, faults } = model.resolveNames(event);
  const reasons = faults.filter((fault) => fault !== 'frozen');
  if (model.state.isLive) reasons.push('live');
  const market = textOf(event, 'market');
  const to = activeAccount(account, market, numberOf(event, 'platform'));
  return {
    faults: reasons,
    moves: [move(houseAccount('custody', account, market), to, amountOf(event, 'active'))],
    record: () => undefined,
  };
}

function adjustBalance(model: EventModel, event: ModelEvent): Effect {
  const { adjustments } = model.state;
  const [no, market, amount] = [textOf(event, 'no'), textOf(event, 'market'), amountOf(event, 'amount')];
  const names = model.resolveNames(event);
  const faults = names.faults.filter((fault) => fault !== 'frozen');
  const own = activeAccount(names.account, market, numberOf(event, 'platform'));
  const after = (model.state.balances.get(own.name) ?? 0n) + amount;
  if (hasField(event, 'balance') && amountOf(event, 'balance') !== after) faults.push('invalid: balance');
  if (faults.length > 0 && after < 0n) faults.push('insufficient');
  if (adjustments.has(no)) faults.push('exists');
  const house = houseAccount('adjustment', names.account, market);
  return {
    faults,
    moves: [amount > 0n ? move(house, own, amount) : move(own, house, -amount)],
    record: () => void adjustments.add(no),
  };
}

function subscribe(model: EventModel, event: ModelEvent, isImported: boolean): Effect {
  const { subscriptions, isLive } = model.state;
  const [no, market, amount] = [textOf(event, 'no'), textOf(event, 'market'), amountOf(event, 'amount')];
  const names = model.resolveNames(event);
  const { account, market: terms } = names;
  const faults = isImported ? names.faults.filter((fault) => fault !== 'frozen') : names.faults;
  const product = amountOf(event, 'price') * amount;
  // Nothing is rounded, so a product with more than 18 decimals is invalid.
  if (product % ONE !== 0n || product / ONE >= LIMIT) faults.push('invalid: amount');
  if (market === 'USDT') faults.push('invalid: market');
  if (!isImported && terms && !terms.ieo) faults.push('closed');
  if (isImported && isLive) faults.push('live');
  if (subscriptions.has(no)) faults.push('exists');
  const state = isImported ? numberOf(event, 'state') : 0;
  const row = { account, market, amount, pay: product / ONE, state };
  const from = activeAccount(account, 'USDT', FUND);
  const isBooked = event.data['booked'] === true && state === 1;
  const moves = isImported
    ? isBooked
      ? exchangeMoves(row, from)
      : []
    : [move(from, frozenAccount(account, 'USDT', FUND, `ieo ${no}`), row.pay)];
  return { faults, moves, record: () => void subscriptions.set(no, row) };
}

const exchangeMoves = (
  { account, market, amount, pay }: { account: string; market: string; amount: bigint; pay: bigint },
  from: Move['from'],
): Move[] => [
  move(from, houseAccount('subscription', account, 'USDT'), pay),
  move(houseAccount('subscription', account, market), activeAccount(account, market, FUND), amount),
];

export function subscriptionMoves(model: EventModel, no: string, isPassed: boolean): Move[] {
  const row = model.state.subscriptions.get(no);
  if (!row) return [];
  const from = frozenAccount(row.account, 'USDT', FUND, `ieo ${no}`);
  return isPassed ? exchangeMoves(row, from) : [move(from, activeAccount(row.account, 'USDT', FUND), row.pay)];
}

export const ledgerEntryRules: Readonly<Record<string, Rule>> = {
  'recharge.detected': (model, event) => newRecharge(model, event, false),
  'recharge.credited': creditRecharge,
  'recharge.failed': rechargeEndRule([0, 3], 2),
  'recharge.reversed': rechargeEndRule([1], 4),
  'withdraw.requested': requestWithdrawal,
  'withdraw.cancelled': withdrawalRule([0, 1], 6, 'back'),
  'withdraw.paying': withdrawalRule([2, 3, 8], 3),
  'withdraw.paid': withdrawalRule([2, 3, 7, 8], 4, 'paid'),
  'withdraw.failed': withdrawalRule([2, 3, 8], 7),
  'withdraw.unknown': withdrawalRule([2, 3, 8], 8),
  'withdraw.imported': importWithdrawal,
  'transfer.made': transfer,
  'balance.imported': importBalance,
  'balance.adjusted': adjustBalance,
  'ieo.ordered': (model, event) => subscribe(model, event, false),
  'ieo.imported': (model, event) => subscribe(model, event, true),
  'ieo.cancelled': (model, event) => {
    const no = textOf(event, 'no');
    const row = model.state.subscriptions.get(no);
    if (!row) return reject('unknown: no');
    if (row.state !== 0) return reject('state');
    return { faults: [], moves: subscriptionMoves(model, no, false), record: () => void (row.state = 3) };
  },
};
