import type { RecordKind } from './event-model-state.ts';
import { type EventModel, type Move, ONE, activeAccount, frozenAccount, houseAccount, move } from './event-model.ts';
import { creditMove, subscriptionMoves, withdrawalMoves } from './event-model-funds.ts';
import { contractMoves } from './event-model-trades.ts';
import { COINS } from './event-kinds.ts';
import { type EventSource, MODEST } from './event-source.ts';

/** A decision of an operator with the answer that the model expects. */
export interface Operation {
  path: string;
  /** The record or user that the decision concerns. Its id is added to the body. */
  target: { kind: RecordKind | 'user' | 'payout' | 'shortfall'; no: string };
  body: Record<string, unknown>;
  /** Expected code of the answer. */
  code: number;
}

type MakeOperation = (source: EventSource, model: EventModel) => Operation | undefined;

/** @returns an operation that the model has already applied, or undefined if there is nothing to decide */
export function nextOperation(source: EventSource, model: EventModel): Operation | undefined {
  return source.pick(operations)(source, model);
}

interface HasState {
  state: number;
}

/** Changes the state of a record if it is one of `from`; otherwise expects 409. */
function decide<T extends HasState>(
  model: EventModel,
  path: string,
  target: Operation['target'],
  row: T | undefined,
  change: { from: readonly number[]; to: number; moves?: Move[]; body?: object; record?: (row: T) => void },
): Operation | undefined {
  if (!row) return undefined;
  const operation = { path, target, body: { ...change.body } };
  if (!change.from.includes(row.state)) return { ...operation, code: 409 };
  const record = (): void => {
    row.state = change.to;
    change.record?.(row);
  };
  // Skip decisions that exceed the range of an account; adjustments test that case.
  return model.apply({ moves: change.moves ?? [], record }).length > 0 ? undefined : { ...operation, code: 200 };
}

/** Of a withdrawal in review that was reported as paid only the outcome is decided. If it was not paid, it stays in review. */
function explain(
  model: EventModel,
  path: string,
  target: Operation['target'],
  { to, moves, body }: { to: number; moves: Move[]; body: object },
): Operation | undefined {
  const operation = { path, target, body: { ...body } };
  if (path !== 'withdraw/resolve') return { ...operation, code: 409 };
  const row = model.state.withdrawals.get(target.no);
  const record = (): void => {
    if (row && moves.length > 0) row.state = to;
    model.state.unexplained.delete(target.no);
  };
  return model.apply({ moves, record }).length > 0 ? undefined : { ...operation, code: 200 };
}

const decideWithdrawal =
  (name: string, from: readonly number[], to: number, money?: 'back' | 'paid', body?: object): MakeOperation =>
  (source, model) => {
    const no = source.pickKnownNo('withdraw', ...from);
    const moves = money ? withdrawalMoves(model, no, money === 'paid') : [];
    const about = { kind: 'withdraw', no } as const;
    const row = model.state.withdrawals.get(no);
    if (model.state.unexplained.has(no) && row?.state === 0)
      return explain(model, `withdraw/${name}`, about, { to, moves, body: body ?? {} });
    const isHeld = row && (name === 'pass' || name === 'retry') && isShort(model, row.account);
    if (isHeld) return { path: `withdraw/${name}`, target: about, body: { ...body }, code: 409 };
    return decide(model, `withdraw/${name}`, about, row, {
      from,
      to,
      moves,
      ...(body && { body }),
    });
  };

const isShort = ({ state }: EventModel, account: string): boolean => [...state.shortfalls.values()].includes(account);

const reason = { reason: 'model' };

/** Closes the alarm about the earliest reversal that was not covered. */
const closeShortfall: MakeOperation = (_source, { state }) => {
  const [no] = state.shortfalls.keys();
  if (no === undefined) return undefined;
  state.shortfalls.delete(no);
  return { path: 'alarm/close', target: { kind: 'shortfall', no }, body: reason, code: 200 };
};

/** The wallet answers the payout command of an approved withdrawal. Only the state changes, no money moves. */
const acknowledgePayout: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('withdraw', 2);
  const row = model.state.withdrawals.get(no);
  if (row?.state !== 2) return undefined;
  const [state, to] = source.pick([
    ['done', 3],
    ['failed', 7],
    ['unknown', 8],
  ] as const);
  row.state = to;
  return { path: 'commands/ack', target: { kind: 'payout', no }, body: { state }, code: 200 };
};

const holdRecharge: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('recharge', 0);
  const row = model.state.recharges.get(no);
  return decide(model, 'recharge/hold', { kind: 'recharge', no }, row, { from: [0], to: 3, body: reason });
};

const releaseRecharge: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('recharge', 3);
  const row = model.state.recharges.get(no);
  const moves = row?.hasArrived ? [creditMove(row)] : [];
  const change = { from: [3], to: row?.hasArrived ? 1 : 0, moves, body: reason };
  return decide(model, 'recharge/release', { kind: 'recharge', no }, row, change);
};

const decideSubscription =
  (name: string, to: number): MakeOperation =>
  (source, model) => {
    const no = source.pickKnownNo('ieo', 0);
    const row = model.state.subscriptions.get(no);
    const moves = subscriptionMoves(model, no, to === 1);
    return decide(model, `ieo/order/${name}`, { kind: 'ieo', no }, row, { from: [0], to, moves });
  };

const voidContract: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('second', 0);
  const row = model.state.contracts.get(no);
  const moves = row ? contractMoves(no, row, 3) : [];
  const body = { ...reason, state: 0, type: 1 };
  return decide(model, 'second/contract/change', { kind: 'second', no }, row, { from: [0], to: 2, moves, body });
};

const cancelOrder: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('trade', 0, 1);
  const row = model.state.orders.get(no);
  return decide(model, 'trade/order/cancel', { kind: 'trade', no }, row, { from: [0, 1], to: 4 });
};

const cancelPosition: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('future', 0);
  const row = model.state.positions.get(no);
  return decide(model, 'future/order/cancel', { kind: 'future', no }, row, { from: [0], to: 5 });
};

const closePosition: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('future', 1);
  const row = model.state.positions.get(no);
  if (!row) return undefined;
  const remaining = row.amount - row.closed;
  const share = remaining > 0n ? source.drawPart(remaining) : 1n;
  const amount = share > remaining && remaining > 0n ? remaining : share;
  const change = {
    from: [1],
    to: 6,
    body: { closeAmount: source.format(amount) },
    record: () => void (row.closing = amount),
  };
  return decide(model, 'future/order/close', { kind: 'future', no }, row, change);
};

const endFollowing: MakeOperation = (source, model) => {
  const no = source.pickKnownNo('follow', 1);
  const row = model.state.followings.get(no);
  return decide(model, 'follow/close', { kind: 'follow', no }, row, { from: [1], to: 3 });
};

/**
 * Freezes a user, which calls back the payouts that wait, because nobody fetches commands here. If one is frozen already,
 * unfreezes that user first, so that few are frozen at a time.
 */
const toggleUser: MakeOperation = (source, model) => {
  const frozenUser = source.accounts.find((account) => model.state.users.get(account)?.frozen === true);
  const account = frozenUser ?? source.pick(source.accounts);
  const user = model.state.users.get(account);
  if (!user || (frozenUser === undefined && source.chance(50))) return undefined;
  user.frozen = frozenUser === undefined;
  if (user.frozen) {
    const queued = [...model.state.withdrawals.values()].filter((row) => row.account === account && row.state === 2);
    for (const row of queued) row.state = 7;
  }
  const path = `user/state/${user.frozen ? 'disable' : 'enable'}`;
  return { path, target: { kind: 'user', no: account }, body: {}, code: 200 };
};

/** Manual adjustment. An amount above the balance is answered with 422; only manual holds can be released. */
const adjustAssets: MakeOperation = (source, model) => {
  const account = source.pick(source.accounts);
  const [market, platform] = [source.pick(COINS), 1 + source.below(4)];
  const [free, manualHold] = [
    activeAccount(account, market, platform),
    frozenAccount(account, market, platform, `asset.frozen ${account}`),
  ];
  const name = source.pick(['active/add', 'active/sub', 'frozen/add', 'frozen/sub']);
  const limit = model.state.holds.get(manualHold.hold ?? '') ?? 0n;
  const amount =
    name === 'active/add'
      ? source.drawAmount(platform > 2 ? MODEST : ONE * ONE - 1n)
      : source.drawPart(name === 'frozen/sub' ? limit : source.freeOf(account, market, platform));
  const from = { 'active/add': houseAccount('adjustment', account, market), 'frozen/sub': manualHold }[name] ?? free;
  const to = { 'active/sub': houseAccount('adjustment', account, market), 'frozen/add': manualHold }[name] ?? free;
  const isTooMuch = name === 'frozen/sub' && amount > limit;
  const faults = isTooMuch ? ['limit'] : model.apply({ moves: [move(from, to, amount)], record: () => undefined });
  const body = { marketId: market, platform, amount: source.format(amount), state: source.below(2), ...reason };
  return { path: `asset/${name}`, target: { kind: 'user', no: account }, body, code: faults.length > 0 ? 422 : 200 };
};

const pass = decideWithdrawal('pass', [0], 2);

const operations: readonly MakeOperation[] = [
  pass,
  pass,
  pass,
  decideWithdrawal('reject', [0, 1], 5, 'back'),
  decideWithdrawal('retry', [7], 2),
  decideWithdrawal('refund', [7], 9, 'back', reason),
  decideWithdrawal('resolve', [8], 4, 'paid', { ...reason, paid: true, txHash: '0xfound' }),
  decideWithdrawal('resolve', [8], 7, undefined, { ...reason, paid: false }),
  acknowledgePayout,
  acknowledgePayout,
  holdRecharge,
  closeShortfall,
  releaseRecharge,
  releaseRecharge,
  decideSubscription('pass', 1),
  decideSubscription('reject', 2),
  voidContract,
  cancelOrder,
  cancelPosition,
  closePosition,
  endFollowing,
  toggleUser,
  adjustAssets,
  adjustAssets,
  adjustAssets,
];
