import type { PlatformSignal } from '@hengtai/contract/gateway/commands.schema';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { PayoutRecords } from '../../clients/typescript/src/payout.ts';

// Records of the simulated platform. They are in one file because the stored state contains all of them.

/** A customer's spot order that has not ended. */
export interface LiveOrder {
  account: string;
  market: string;
  side: 1 | 2;
  /** Limit price in USDT; absent for a market order. */
  price?: string;
  /** Remaining amount in coins, or in USDT for a purchase with funds. */
  left: string;
  funds: boolean;
  placedAt: number;
  /** When the user cancels it, in Unix ms; 0: never. */
  cancelAt: number;
  /** True once the server has accepted it; only live orders match. */
  live: boolean;
  /** True once it rests in the book, so it trades at its own price. */
  rests: boolean;
}

/** A cancel command that was accepted and waits for its execution. */
export interface PendingCancel {
  no: string;
  due: number;
  /** The ack is sent only after execution. */
  late: boolean;
}

/** A customer's position that has not ended, including its opening order. */
export interface LivePosition {
  account: string;
  market: string;
  demo: 0 | 1;
  side: 1 | 2;
  leverage: number;
  /** Limit price in USDT; absent for a market order. */
  price?: string;
  /** Amount that is open, or ordered. */
  left: string;
  /** Margin held, in USDT. */
  held: string;
  /** Absent while the order waits. */
  openPrice?: string;
  takeProfit?: string;
  stopLoss?: string;
  placedAt: number;
  /** When the user cancels the order, in Unix ms; 0: never. */
  cancelAt: number;
  /** When the user closes, in Unix ms (0: never), and which share of the position. */
  closeAt: number;
  closeShare: number;
  /** True once the server has accepted it. */
  live: boolean;
}

/** An operator's cancel or close command that was accepted and waits for its execution. */
export interface PendingCommand {
  no: string;
  /** Amount to close; absent for a cancel. */
  amount?: string;
  due: number;
  /** The ack is sent only after execution. */
  late: boolean;
}

/** A customer's copy of a signal that has not ended. */
export interface LiveFollow {
  account: string;
  signal: PlatformSignal;
  amount: string;
  /** The price at opening. */
  price: string;
  /** When the user ends it, in Unix ms. */
  closeAt: number;
  /** True once the server has accepted it. */
  live: boolean;
}

/** An operator's end command that was accepted and waits for its execution. */
export interface PendingEnd {
  no: string;
  due: number;
  /** The ack is sent only after execution. */
  late: boolean;
}

export interface Network {
  network: string;
  recharge: boolean;
  withdraw: boolean;
  fee: string | undefined;
}

/** A market as configured in the back office. */
export interface Market {
  name: string;
  price: string | undefined;
  recharge: boolean;
  withdraw: boolean;
  withdrawFee: string;
  withdrawMin: string;
  withdrawMax: string | undefined;
  networks: Network[];
  /** True if it is shown and traded; only listed markets have ticks. */
  listed: boolean;
  /** Trading types halted by price protection: 1 spot, 2 futures, 3 binary contracts. */
  halted: readonly number[];
  spot: boolean;
  second: boolean;
  /** This field and the next two are absent in states stored by an older version. */
  future?: boolean;
  maxLeverage?: number | undefined;
  maintenanceRate?: string | undefined;
  makerFee: string;
  takerFee: string;
  /** Decimals of amounts; undefined if the server does not send them. */
  amountPrecision: number | undefined;
}

/** An answer that a provider is about to give. */
export interface PendingAnswer {
  data: EventData['screen.answered'];
  due: number;
}

/** An open conversation: the customer's remaining messages and when the next one is due. */
export interface Conversation {
  /** Remaining messages; each is sent when due or after an operator's answer. */
  left: string[];
  /** When the next message is due, in Unix ms; 0 while the customer waits for an answer. */
  due: number;
}

/** What the wallet trusts and has claimed. */
export interface SigningState {
  /** Text of the file that was pinned. */
  pinned: string;
  /** Text of the roster that it holds: the pinned one, or one that followed it. */
  roster: string;
  /** What is signed under it must carry its digest. Absent from states that were written before this field. */
  needsDigest?: boolean;
  records: PayoutRecords;
}

export interface User {
  account: string;
  agent: string | undefined;
  remark: string | undefined;
  /** Registration time in Unix ms. */
  joined: number;
  /** Relative activity; a few users account for most of it. */
  appetite: number;
  /** Relative size of recharges; 0: never pays in. */
  wealth: number;
  /** When the user becomes inactive, in Unix ms. */
  leaves: number;
}
