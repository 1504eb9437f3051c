import { compareAmounts } from '@hengtai/contract/values/money';

/** What a move on a chain and a record of money both say. Null: unknown. */
export interface Payment {
  marketId: number;
  /** The text by which networks are compared. */
  networkKey: string | null;
  /** Keys of where the money arrived. */
  accountKey: string | null;
  memoKey: string | null;
  /** Decimal string above zero; of a withdrawal what is paid out. */
  amount: string;
  /** Empty: unknown. */
  txHash: string;
  index: number | null;
  attempt: number | null;
  /** Unix milliseconds. */
  at: number;
}

export interface OpenMove extends Payment {
  id: number;
  platformId: number;
  kind: 'deposit' | 'payout' | 'move' | 'other';
  /** The number of the record, if the platform names it. */
  record: string | null;
}

/** A paid withdrawal or a credited recharge without a move. */
export interface OpenRecord extends Payment {
  type: RecordType;
  id: number;
  no: string;
}

export type RecordType = 'withdraw' | 'recharge';

const recordTypes: Readonly<Partial<Record<OpenMove['kind'], RecordType>>> = {
  payout: 'withdraw',
  deposit: 'recharge',
};
/** The record of a move by its kind. Undefined for moves that have none. */
export const recordTypeOf = ({ kind }: Pick<OpenMove, 'kind'>): RecordType | undefined => recordTypes[kind];

/** How a record was found: by its number, by hash and index, or by all fields and the time. */
export type FoundBy = 'number' | 'output' | 'fields';

type Difference = 'market' | 'network' | 'account' | 'memo' | 'amount' | 'txHash' | 'index' | 'attempt';

export interface Match {
  move: OpenMove;
  record: OpenRecord;
  by: FoundBy;
  /** Empty: they agree. */
  differences: Difference[];
}

/** Longest time between a move and a record that are found by their fields. */
export const NEAR_MS = 24 * 3_600_000;

const isKnown = <T>(a: T | null, b: T | null): boolean => a !== null && b !== null;

/** What differs. What one of them does not say cannot differ. */
export function findDifferences(move: Payment, record: Payment): Difference[] {
  const differs: Record<Difference, boolean> = {
    market: move.marketId !== record.marketId,
    network: isKnown(move.networkKey, record.networkKey) && move.networkKey !== record.networkKey,
    account: isKnown(move.accountKey, record.accountKey) && move.accountKey !== record.accountKey,
    memo: isKnown(move.memoKey, record.memoKey) && move.memoKey !== record.memoKey,
    amount: compareAmounts(move.amount, record.amount) !== 0,
    txHash: move.txHash !== record.txHash && record.txHash !== '',
    index: isKnown(move.index, record.index) && move.index !== record.index,
    attempt: isKnown(move.attempt, record.attempt) && move.attempt !== record.attempt,
  };
  return (Object.keys(differs) as Difference[]).filter((field) => differs[field]);
}

/** The record of a move among those that are free, or undefined. */
type Rule = (move: OpenMove, records: readonly OpenRecord[]) => OpenRecord | undefined;

const byNumber: Rule = (move, records) => records.find(({ no }) => no === move.record);

/**
 * The same output is the same payment, whatever else differs. A transaction can have several payments, so without both indexes
 * everything else must agree.
 */
const byOutput: Rule = (move, records) => {
  const ofTransaction = records.filter((record) => record.txHash === move.txHash);
  const ofOutput = ofTransaction.find(({ index }) => isKnown(index, move.index) && index === move.index);
  return ofOutput ?? ofTransaction.find((record) => findDifferences(move, record).length === 0);
};

/** Of records without a hash to which the money arrived at the same account, the one that is nearest in time. */
const byFields: Rule = (move, records) => {
  const distanceTo = ({ at }: OpenRecord): number => Math.abs(at - move.at);
  const [nearest] = records
    .filter((record) => record.txHash === '' && isKnown(record.accountKey, move.accountKey))
    .filter((record) => distanceTo(record) <= NEAR_MS && findDifferences(move, record).length === 0)
    .toSorted((a, b) => distanceTo(a) - distanceTo(b));
  return nearest;
};

const RULES: readonly (readonly [FoundBy, Rule])[] = [
  ['number', byNumber],
  ['output', byOutput],
  ['fields', byFields],
];

/** Gives each move at most one record, and each record at most one move. No rule takes a record that one before it finds. */
export function matchMoves(moves: readonly OpenMove[], records: readonly OpenRecord[]): Match[] {
  const openMoves = new Set(moves);
  const freeRecords = new Set(records);
  const matches: Match[] = [];
  for (const [by, find] of RULES) {
    for (const move of openMoves) {
      const record = find(
        move,
        [...freeRecords].filter(({ type }) => type === recordTypeOf(move)),
      );
      if (!record) continue;
      openMoves.delete(move);
      freeRecords.delete(record);
      matches.push({ move, record, by, differences: findDifferences(move, record) });
    }
  }
  return matches;
}
