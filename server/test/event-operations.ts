import type { RecordKind } from './event-model-state.ts';
import { type EventModel, type Move, ONE, active, frozen, house, move } from './event-model.ts';
import { creditMove, subscriptionMoves, withdrawalMoves } from './event-model-funds.ts';
import { contractMoves } from './event-model-trades.ts';
import { COINS } from './event-kinds.ts';
import { type EventSource, MODEST } from './event-source.ts';

/** A decision of an operator with the answer that the model expects. */
export interface Operation {
  path: string;
  /** The record or user that the decision concerns. Its id is added to the body. */
  about: { kind: RecordKind | 'user' | 'payout'; no: string };
  body: Record<string, unknown>;
  /** Expected code of the answer. */
  code: number;
}

type Make = (source: EventSource, model: EventModel) => Operation | undefined;

/** @returns an operation that the model has already applied, or undefined if there is nothing to decide */
export function nextOperation(source: EventSource, model: EventModel): Operation | undefined {
  return source.pick(operations)(source, model);
}

interface Stated {
  state: number;
}

/** Changes the state of a record if it is one of `from`; otherwise expects 409. */
function decide<T extends Stated>(
  model: EventModel,
  path: string,
  about: Operation['about'],
  row: T | undefined,
  change: { from: readonly number[]; to: number; moves?: Move[]; body?: object; record?: (row: T) => void },
): Operation | undefined {
  if (!row) return undefined;
  const operation = { path, about, body: { ...change.body } };
  if (!change.from.includes(row.state)) return { ...operation, code: 409 };
  const record = (): void => {
    row.state = change.to;
    change.record?.(row);
  };
  // Skip decisions that exceed the range of an account; adjustments test that case.
  return model.apply({ moves: change.moves ?? [], record }).length > 0 ? undefined : { ...operation, code: 200 };
}

const withdrawal =
  (name: string, from: readonly number[], to: number, money?: 'back' | 'paid', body?: object): Make =>
  (source, model) => {
    const no = source.known('withdraw', ...from);
    const moves = money ? withdrawalMoves(model, no, money === 'paid') : [];
    const about = { kind: 'withdraw', no } as const;
    return decide(model, `withdraw/${name}`, about, model.state.withdrawals.get(no), {
      from,
      to,
      moves,
      ...(body && { body }),
    });
  };

const reason = { reason: 'model' };

/** The wallet answers the payout command of an approved withdrawal. Only the state changes, no money moves. */
const acknowledged: Make = (source, model) => {
  const no = source.known('withdraw', 2);
  const row = model.state.withdrawals.get(no);
  if (row?.state !== 2) return undefined;
  const [state, to] = source.pick([
    ['done', 3],
    ['failed', 7],
    ['unknown', 8],
  ] as const);
  row.state = to;
  return { path: 'commands/ack', about: { kind: 'payout', no }, body: { state }, code: 200 };
};

const held: Make = (source, model) => {
  const no = source.known('recharge', 0);
  const row = model.state.recharges.get(no);
  return decide(model, 'recharge/hold', { kind: 'recharge', no }, row, { from: [0], to: 3, body: reason });
};

const released: Make = (source, model) => {
  const no = source.known('recharge', 3);
  const row = model.state.recharges.get(no);
  const moves = row?.arrived ? [creditMove(row)] : [];
  const change = { from: [3], to: row?.arrived ? 1 : 0, moves, body: reason };
  return decide(model, 'recharge/release', { kind: 'recharge', no }, row, change);
};

const subscription =
  (name: string, to: number): Make =>
  (source, model) => {
    const no = source.known('ieo', 0);
    const row = model.state.subscriptions.get(no);
    const moves = subscriptionMoves(model, no, to === 1);
    return decide(model, `ieo/order/${name}`, { kind: 'ieo', no }, row, { from: [0], to, moves });
  };

const voided: Make = (source, model) => {
  const no = source.known('second', 0);
  const row = model.state.contracts.get(no);
  const moves = row ? contractMoves(no, row, 3) : [];
  const body = { ...reason, state: 0, type: 1 };
  return decide(model, 'second/contract/change', { kind: 'second', no }, row, { from: [0], to: 2, moves, body });
};

const cancelledOrder: Make = (source, model) => {
  const no = source.known('trade', 0, 1);
  const row = model.state.orders.get(no);
  return decide(model, 'trade/order/cancel', { kind: 'trade', no }, row, { from: [0, 1], to: 4 });
};

const cancelledPosition: Make = (source, model) => {
  const no = source.known('future', 0);
  const row = model.state.positions.get(no);
  return decide(model, 'future/order/cancel', { kind: 'future', no }, row, { from: [0], to: 5 });
};

const closedPosition: Make = (source, model) => {
  const no = source.known('future', 1);
  const row = model.state.positions.get(no);
  if (!row) return undefined;
  const rest = row.amount - row.closed;
  const part = rest > 0n ? source.partOf(rest) : 1n;
  const amount = part > rest && rest > 0n ? rest : part;
  const change = {
    from: [1],
    to: 6,
    body: { closeAmount: source.text(amount) },
    record: () => void (row.closing = amount),
  };
  return decide(model, 'future/order/close', { kind: 'future', no }, row, change);
};

const endedFollowing: Make = (source, model) => {
  const no = source.known('follow', 1);
  const row = model.state.followings.get(no);
  return decide(model, 'follow/close', { kind: 'follow', no }, row, { from: [1], to: 3 });
};

/** Freezes a user. If one is frozen already, unfreezes that user first, so that few are frozen at a time. */
const switched: Make = (source, model) => {
  const frozenUser = source.accounts.find((account) => model.state.users.get(account)?.frozen === true);
  const account = frozenUser ?? source.pick(source.accounts);
  const user = model.state.users.get(account);
  if (!user || (frozenUser === undefined && source.chance(50))) return undefined;
  user.frozen = frozenUser === undefined;
  const path = `user/state/${user.frozen ? 'disable' : 'enable'}`;
  return { path, about: { kind: 'user', no: account }, body: {}, code: 200 };
};

/** Manual adjustment. An amount above the balance is answered with 422; only manual holds can be released. */
const adjusted: Make = (source, model) => {
  const account = source.pick(source.accounts);
  const [market, platform] = [source.pick(COINS), 1 + source.below(4)];
  const [free, manual] = [
    active(account, market, platform),
    frozen(account, market, platform, `asset.frozen ${account}`),
  ];
  const name = source.pick(['active/add', 'active/sub', 'frozen/add', 'frozen/sub']);
  const limit = model.state.holds.get(manual.hold ?? '') ?? 0n;
  const amount =
    name === 'active/add'
      ? source.amount(platform > 2 ? MODEST : ONE * ONE - 1n)
      : source.partOf(name === 'frozen/sub' ? limit : source.freeOf(account, market, platform));
  const from = { 'active/add': house('adjustment', account, market), 'frozen/sub': manual }[name] ?? free;
  const to = { 'active/sub': house('adjustment', account, market), 'frozen/add': manual }[name] ?? free;
  const isTooMuch = name === 'frozen/sub' && amount > limit;
  const faults = isTooMuch ? ['limit'] : model.apply({ moves: [move(from, to, amount)], record: () => undefined });
  const body = { marketId: market, platform, amount: source.text(amount), state: source.below(2), ...reason };
  return { path: `asset/${name}`, about: { kind: 'user', no: account }, body, code: faults.length > 0 ? 422 : 200 };
};

const pass = withdrawal('pass', [0], 2);

const operations: readonly Make[] = [
  pass,
  pass,
  pass,
  withdrawal('reject', [0, 1], 5, 'back'),
  withdrawal('retry', [7], 2),
  withdrawal('refund', [7], 9, 'back', reason),
  withdrawal('resolve', [8], 4, 'paid', { ...reason, paid: true, txHash: '0xfound' }),
  withdrawal('resolve', [8], 7, undefined, { ...reason, paid: false }),
  acknowledged,
  acknowledged,
  held,
  released,
  released,
  subscription('pass', 1),
  subscription('reject', 2),
  voided,
  cancelledOrder,
  cancelledPosition,
  closedPosition,
  endedFollowing,
  switched,
  adjusted,
  adjusted,
  adjusted,
];
