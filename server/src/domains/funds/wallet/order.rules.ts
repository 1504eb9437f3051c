import { type Match, type Payment, findDifferences } from './match.rules.ts';

/** A payout that a program was given, and that no move has taken. */
export interface OpenAttempt extends Payment {
  withdrawId: number;
  no: string;
  attempt: number;
}

/** A payout on a chain. */
export interface PayoutMove extends Payment {
  id: number;
  record: string | null;
}

export interface Order {
  move: PayoutMove;
  attempt: OpenAttempt;
}

/** What must be the same for an attempt to have ordered a move. */
const ORDERED_FIELDS: ReadonlySet<string> = new Set([
  'market',
  'network',
  'account',
  'memo',
  'amount',
] satisfies Match['differences']);

const pays = (move: PayoutMove, attempt: OpenAttempt): boolean =>
  findDifferences(move, attempt).every((field) => !ORDERED_FIELDS.has(field));

/** How well an attempt fits, the best first. Attempts that fit equally pay the same, so it does not matter which one is taken. */
const PREFERENCES: readonly ((move: PayoutMove, attempt: OpenAttempt) => boolean)[] = [
  (move, { no, attempt }) => no === move.record && attempt === move.attempt,
  (move, { no }) => no === move.record,
  (move, { txHash }) => txHash !== '' && txHash === move.txHash,
  (move, { accountKey }) => accountKey !== null && accountKey === move.accountKey,
  () => true,
];

/** Gives each move an attempt that ordered it, and each attempt at most one move. Nobody ordered the moves that get none. */
export function orderMoves(moves: readonly PayoutMove[], attempts: readonly OpenAttempt[]): Order[] {
  const openMoves = new Set(moves);
  const free = new Set(attempts);
  const orders: Order[] = [];
  for (const isPreferred of PREFERENCES) {
    for (const move of openMoves) {
      const attempt = [...free].find((one) => isPreferred(move, one) && pays(move, one));
      if (!attempt) continue;
      openMoves.delete(move);
      free.delete(attempt);
      orders.push({ move, attempt });
    }
  }
  return orders;
}
