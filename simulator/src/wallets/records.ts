export type WalletKind = 'hot' | 'cold' | 'deposit' | 'gas';

/** What the platform holds of one coin on one network for one purpose. */
export interface LiveWallet {
  no: string;
  kind: WalletKind;
  market: string;
  network: string;
  /** Absent for the deposit addresses of customers, which are one wallet together. */
  address?: string;
  amount: string;
  /** Height of the last block that changed it, and the amount before that block. */
  block: number;
  before: string;
  /** What it is filled up to; 0 if it is not. */
  target: string;
}

/** Where the money of a recharge arrives. `other`: the money of a voucher, which a desk pays in. */
export interface Arriving {
  market: string;
  amount: string;
  network: string;
  txHash: string;
  kind: 'deposit' | 'other';
}

/** What arrived, which a reorganisation of the chain may drop. */
interface Arrival extends Arriving {
  at: number;
  /** Number of its move, once moves are reported. */
  no?: string;
  block: number;
}

/** The wallets of the platform. */
export interface Treasury {
  /** Net amounts by coin before the wallets are reported; absent afterwards. */
  unreported?: Record<string, string>;
  wallets: LiveWallet[];
  /** The latest arrivals by number of the recharge. */
  arrivals: Record<string, Arrival>;
  /** Numbers of the transfers that operators ordered and that were made; absent before the first one. */
  ordered?: string[];
}

/** A payment from the hot wallet. */
export interface Payment {
  no: string;
  /** Absent for payments of the past. */
  attempt?: number;
  market: string;
  network: string;
  address: string;
  memo: string;
  /** What arrives. */
  amount: string;
}
