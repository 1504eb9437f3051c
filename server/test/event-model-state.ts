/** State of the event model. Amounts are integers in units of 10^-18. */

export interface ModelEvent {
  eventId: string;
  type: string;
  at: number;
  data: Readonly<Record<string, unknown>>;
}

export interface ModelMarket {
  spot: boolean;
  future: boolean;
  second: boolean;
  ieo: boolean;
  pricePrecision: number;
  amountPrecision: number;
  minAmount: bigint;
  maxAmount: bigint;
  maxLeverage: number;
  withdrawMin: bigint;
  withdrawMax: bigint;
}

export interface ModelUser {
  frozen: boolean;
  /** Percent that a won binary contract pays; undefined for the rate of its duration. */
  winRate?: bigint;
}

export interface Recharge {
  account: string;
  market: string;
  amount: bigint;
  state: number;
  hasArrived: boolean;
}

export interface Withdrawal {
  account: string;
  market: string;
  network: string;
  amount: bigint;
  fee: bigint;
  state: number;
}

export interface Subscription {
  account: string;
  market: string;
  amount: bigint;
  pay: bigint;
  state: number;
}

export interface SpotOrder {
  account: string;
  market: string;
  side: number;
  price: bigint | undefined;
  amount: bigint | undefined;
  filled: bigint;
  turnover: bigint;
  held: bigint;
  state: number;
}

export interface Position {
  account: string;
  demo: boolean;
  side: number;
  price: bigint | undefined;
  amount: bigint;
  closed: bigint;
  open: bigint;
  held: bigint;
  /** What waits of the order while another part is open, and its margin. */
  unopened: bigint;
  pending: bigint;
  /** Amount of an operator's close that is still to be closed. */
  closing: bigint;
  state: number;
}

export interface Contract {
  account: string;
  market: string;
  side: number;
  amount: bigint;
  payout: bigint;
  openAt: number;
  settleAt: number;
  state: number;
  result: number;
}

export interface Following {
  account: string;
  amount: bigint;
  state: number;
}

export type RecordKind = 'recharge' | 'withdraw' | 'ieo' | 'trade' | 'future' | 'second' | 'follow';

/** Everything that events change. A copy is a snapshot that the model can restore. */
export interface ModelState {
  isLive: boolean;
  /** Content of each applied event by its id. */
  appliedIds: Map<string, string>;
  balances: Map<string, bigint>;
  holds: Map<string, bigint>;
  users: Map<string, ModelUser>;
  ticks: Map<string, { price: bigint; at: number }[]>;
  recharges: Map<string, Recharge>;
  withdrawals: Map<string, Withdrawal>;
  /** Numbers of withdrawals that were reported as paid before their payout was ordered. */
  unexplained: Set<string>;
  /** Networks and hashes of the transactions whose fee was stated. */
  chainFees: Set<string>;
  /** Users whose balance did not cover a reversal, by the number of the recharge, until the alarm is closed. */
  shortfalls: Map<string, string>;
  transfers: Set<string>;
  subscriptions: Map<string, Subscription>;
  orders: Map<string, SpotOrder>;
  trades: Set<string>;
  positions: Map<string, Position>;
  closes: Set<string>;
  adjustments: Set<string>;
  /** Trade numbers of increases. */
  increases: Set<string>;
  fundings: Set<string>;
  contracts: Map<string, Contract>;
  followings: Map<string, Following>;
}

export interface ModelTerms {
  markets: ReadonlyMap<string, ModelMarket>;
  /** Binary contracts: rate in percent by duration, and tolerance in milliseconds. */
  rates: ReadonlyMap<number, { rate: bigint; min: bigint; max: bigint }>;
  tolerance: number;
  signals: ReadonlyMap<string, { from: number; to: number; min: bigint; max: bigint }>;
}

export const newState = (): ModelState => ({
  isLive: false,
  appliedIds: new Map(),
  balances: new Map(),
  holds: new Map(),
  users: new Map(),
  ticks: new Map(),
  recharges: new Map(),
  withdrawals: new Map(),
  unexplained: new Set(),
  chainFees: new Set(),
  shortfalls: new Map(),
  transfers: new Set(),
  subscriptions: new Map(),
  orders: new Map(),
  trades: new Set(),
  positions: new Map(),
  closes: new Set(),
  adjustments: new Set(),
  increases: new Set(),
  fundings: new Set(),
  contracts: new Map(),
  followings: new Map(),
});
