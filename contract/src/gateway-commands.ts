import type { MarketRow } from './market.schema.ts';

/** What the platform is told to do; the fields of each type's data. */
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
    /** 1 to be shown; 0 and a deleted one are to be taken away. */
    state: number;
    deleted: number;
    at: number;
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
    /** The price that left the band; null where an operator halted it. */
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
    /** As a data: address. */
    image?: string;
    /** Unix milliseconds. */
    at: number;
  };
  /** A signed head of the audit chain, to be kept; docs/audit-chain.md. */
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

/** A tick that decided something, as the platform reported it; `at` in unix milliseconds. */
export interface BinaryContractTickSent {
  price: string;
  at: number;
}

/** A market as it was saved; as `GET markets` tells it, without its price. */
export type MarketSettings = Omit<
  MarketRow,
  'id' | 'icon' | 'price' | 'change24h' | 'halted' | 'version' | 'updatedBy' | 'createdAt' | 'updatedAt'
>;

/** A signal as the platform shows it; the fields of `signal.published`, and of each one that `GET signals` answers. */
export interface PlatformSignal {
  no: string;
  title: string;
  market: string;
  /** 1 long, 2 short. */
  side: number;
  leverage: number;
  /** In USDT, as the next two. */
  price: string;
  takeProfit: string | null;
  stopLoss: string | null;
  /** Percent of the futures account that an automatic following takes. */
  ratio: string;
  /** The least and the greatest stake, in USDT. */
  minAmount: string;
  maxAmount: string;
  /** Unix milliseconds; followings may be opened from the one to the other. */
  startAt: number;
  endAt: number;
  /** 1 while it may be followed, 2 when it is over. */
  state: number;
}

/** What a user may do at the platform; the fields of `user.updated` and `user.deleted`. */
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
