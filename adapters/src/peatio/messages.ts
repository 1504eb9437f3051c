/** Fields of a deposit or a withdrawal that the adapter reads, as in "RabbitMQ Peatio Event API". */
export interface PeatioRecord {
  tid: string;
  uid: string;
  currency: string;
  amount: string;
  state: string;
  created_at: string;
  updated_at: string;
  blockchain_txid?: string | null;
}

export interface PeatioDeposit extends PeatioRecord {
  blockchain_address?: string | null;
  blockchain_confirmations?: number | null;
}

export interface PeatioWithdraw extends PeatioRecord {
  /** Address of the beneficiary. */
  rid: string;
  /** Comes on top of `amount`. */
  fee: string;
}

/**
 * A trade. The document names its sides buyer and seller and gives it no number; releases since 2.3 send `id`, maker and taker,
 * with the same fields for each side.
 */
export interface PeatioTrade extends Partial<Record<`${TradeSide}_${TradeField}`, string>> {
  id?: number | string;
  market: string;
  price: string;
  completed_at: string;
}
export const TRADE_SIDES = ['buyer', 'seller', 'maker', 'taker'] as const;
type TradeSide = (typeof TRADE_SIDES)[number];
type TradeField = 'uid' | 'income_unit' | 'income_amount' | 'income_fee' | 'outcome_amount';

/** The claim `event` of a message. */
export type PeatioEvent = { name: string } & Record<string, unknown>;

/** How the adapter names what Peatio names. */
export interface Names {
  /** Coins by currency code. Deposits and withdrawals of other currencies are left out. */
  currencies: Readonly<Record<string, { market: string; network: string }>>;
  /** Coins by market id; the second coin of each is USDT. Trades of other markets are left out. */
  markets: Readonly<Record<string, string>>;
}

/** The exchanges with the routing keys to bind: Peatio declares direct exchanges, which know no wildcards. */
export const bindings = ({ markets }: Names): { exchange: string; keys: string[] }[] => [
  {
    exchange: 'peatio.events.model',
    keys: ['deposit.created', 'deposit.updated', 'withdraw.created', 'withdraw.updated'],
  },
  { exchange: 'peatio.events.market', keys: Object.keys(markets).map((market) => `${market}.trade_completed`) },
];
