import type { MarketRow } from './market.schema.ts';

/** The data of each type of command that the back office sends to the platform. */
export interface CommandData {
  'withdraw.payout': {
    no: string;
    attempt: number;
    account: string;
    market: string;
    network: string;
    address: string;
    memo: string;
    amount: string;
  };
  'withdraw.reviewed': { no: string; state: number; reason?: string };
  'auth.reviewed': { account: string; level: number; state: number; reason?: string };
  'ieo.reviewed': { no: string; state: number; reason?: string };
  'recharge.reviewed': { no: string; state: number; reason?: string };
  'balance.changed': {
    account: string;
    market: string;
    platform: number;
    active: string;
    frozen: string;
    entry: number;
  };
  'user.created': { account: string; agent: string; password: string };
  'config.updated': { key: string; kind: string; str: string; num: string; state: number };
  'announce.published': {
    no: string;
    lang: string;
    title: string;
    content: string;
    platform: number;
    /** 1: show it. The platform removes one with state 0 or `deleted` 1. */
    state: number;
    deleted: number;
    at: number;
    /** 1: shown before the others. */
    pinned: number;
    /** When the draft is published; null: not scheduled. */
    publishAt: number | null;
    /** Languages of one announcement have the same group. */
    group: string;
  };
  'user.updated': UserSwitches;
  'user.deleted': UserSwitches;
  'user.password': { account: string; password: string };
  'market.updated': MarketSettings;
  'market.halted': {
    marketName: string;
    marketType: number;
    /** Unix milliseconds. */
    haltedAt: number;
    resumeAt: number;
    /** The price that left the band; null if an operator halted the market. */
    price: string | null;
  };
  'market.resumed': { marketName: string; marketType: number };
  'plan.updated': {
    marketName: string;
    marketType: number;
    minPrice: string;
    maxPrice: string;
    planPrice: string;
    planMinute: number;
    planState: number;
  };
  'order.cancel': { no: string };
  'signal.published': PlatformSignal;
  'follow.close': { no: string };
  'position.cancel': { no: string };
  'position.close': { no: string; amount: string };
  'second.settled': {
    no: string;
    /** 1 win, 2 loss, 3 draw. */
    result: number;
    /** Signed, in USDT. */
    profit: string;
    openTick: BinaryContractTickSent;
    closeTick: BinaryContractTickSent;
  };
  'second.voided': { no: string; reason: string };
  'message.sent': {
    no: string;
    account: string;
    text: string;
    /** A data: URL. */
    image?: string;
    /** Unix milliseconds. */
    at: number;
  };
  /** A signed head of the audit chain, which the platform stores; see docs/audit-chain.md. */
  'audit.head': {
    number: number;
    previous: string;
    rows: number;
    hash: string;
    /** Unix milliseconds. */
    at: number;
    key: string;
    signature: string;
  };
}

/** A tick that decided an outcome, as the platform reported it. `at` is unix milliseconds. */
export interface BinaryContractTickSent {
  price: string;
  at: number;
}

/** The settings of a market, with the fields of `GET markets` except its price. */
export type MarketSettings = Omit<
  MarketRow,
  'id' | 'icon' | 'price' | 'change24h' | 'halted' | 'version' | 'updatedBy' | 'createdAt' | 'updatedAt'
>;

/** A signal as the platform shows it: the fields of `signal.published` and of `GET signals`. */
export interface PlatformSignal {
  no: string;
  title: string;
  market: string;
  /** 1 long, 2 short. */
  side: number;
  leverage: number;
  /** Entry price in USDT, as are takeProfit and stopLoss. */
  price: string;
  takeProfit: string | null;
  stopLoss: string | null;
  /** Percent of the futures account that an automatic following uses. */
  ratio: string;
  /** Minimum and maximum stake in USDT. */
  minAmount: string;
  maxAmount: string;
  /** Unix milliseconds. Followings may be opened between the two times. */
  startAt: number;
  endAt: number;
  /** 1: can be followed; 2: ended. */
  state: number;
}

/** What a user may do on the platform: the fields of `user.updated` and `user.deleted`. */
export interface UserSwitches {
  account: string;
  state: number;
  trade: number;
  ieoBuy: number;
  ieoSell: number;
  ai: number;
  winType: number;
  winRate: string | null;
}

export type PlatformCommand = {
  [T in keyof CommandData]: { seq: number; id: number; type: T; at: number; attempt: number; data: CommandData[T] };
}[keyof CommandData];
