// Generated from docs/openapi.json. `npx vitest run clients/generate -u` writes it again.

export interface AgentRegisteredData {
  /** account of the new agent */
  account: string;
  /** account of the agent above; the admin if absent */
  parent?: string | undefined;
  remark?: string | undefined;
}

export interface UserRegisteredData {
  /** account of the new user */
  account: string;
  /** account of the agent; the admin if absent */
  agent?: string | undefined;
  remark?: string | undefined;
}

export interface UserLoginData {
  /** account of a user */
  account: string;
  /** IPv4 or IPv6 address */
  ip: string;
  /** name of the device, text of 1 to 64 characters */
  device?: string | undefined;
}

export interface UserCredentialData {
  /** account of a user */
  account: string;
  kind: 'password' | 'otp' | 'phone' | 'mail';
}

export interface RechargeDetectedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** network of a coin, such as TRC20 */
  network: string;
  /** address on the network, text of 1 to 256 characters */
  address: string;
  /** transaction hash, text of 1 to 256 characters */
  txHash?: string | undefined;
  /** decimal string above zero, in the coin of the market */
  amount: string;
  /** number of block confirmations */
  confirmations: number;
  /** 1 detected on chain, 2 a voucher uploaded by the user */
  source: 1 | 2;
  /** address of the picture of the voucher, or the picture as a data: URL */
  voucher?: string | undefined;
  /** memo or tag of the address, at most 256 characters */
  memo?: string | undefined;
  /** number of the output or event in its transaction, from 0 */
  index?: number | undefined;
}

export interface RechargeCreditedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account?: string | undefined;
  /** marketName of a market */
  market?: string | undefined;
  /** network of a coin, such as TRC20 */
  network?: string | undefined;
  /** address on the network, text of 1 to 256 characters */
  address?: string | undefined;
  /** transaction hash, text of 1 to 256 characters */
  txHash?: string | undefined;
  /** decimal string above zero, in the coin of the market */
  amount?: string | undefined;
  /** number of block confirmations */
  confirmations?: number | undefined;
  /** 1 detected on chain, 2 a voucher uploaded by the user */
  source?: 1 | 2 | undefined;
  /** address of the picture of the voucher, or the picture as a data: URL */
  voucher?: string | undefined;
  /** memo or tag of the address, at most 256 characters */
  memo?: string | undefined;
  /** number of the output or event in its transaction, from 0 */
  index?: number | undefined;
}

export interface RechargeFailedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  remark?: string | undefined;
}

export interface RechargeReversedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  remark?: string | undefined;
}

export interface WithdrawImportedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** network of a coin, such as TRC20 */
  network: string;
  /** address on the network, text of 1 to 256 characters */
  address: string;
  /** memo or tag of the address, at most 256 characters */
  memo?: string | undefined;
  /** decimal string above zero, in the coin of the market, fee included */
  amount: string;
  /** decimal string, in the coin of the market */
  fee: string;
  /** transaction hash, text of 1 to 256 characters */
  txHash?: string | undefined;
  /** 4 paid, 5 rejected, 6 cancelled, 9 refunded */
  state: 4 | 5 | 6 | 9;
  reason?: string | undefined;
  /** account of an operator */
  by?: string | undefined;
  /** unix milliseconds */
  reviewedAt?: number | undefined;
  /** account of an operator */
  secondBy?: string | undefined;
  /** whether the record takes its cost from the balance */
  booked?: boolean | undefined;
}

export interface WithdrawRequestedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** network of a coin, such as TRC20 */
  network: string;
  /** address on the network, text of 1 to 256 characters */
  address: string;
  /** memo or tag of the address, at most 256 characters */
  memo?: string | undefined;
  /** decimal string above zero, in the coin of the market, fee included */
  amount: string;
  /** decimal string, in the coin of the market */
  fee: string;
}

export interface WithdrawCancelledData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
}

export interface WithdrawPayingData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** attempt of the payout, as in withdraw.payout */
  attempt?: number | undefined;
  /** transaction hash, text of 1 to 256 characters */
  txHash?: string | undefined;
}

export interface WithdrawPaidData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** attempt of the payout, as in withdraw.payout */
  attempt?: number | undefined;
  /** transaction hash, text of 1 to 256 characters */
  txHash: string;
  /** number of the output or event in its transaction, from 0 */
  index?: number | undefined;
  /** decimal string, what the chain took, in feeMarket */
  chainFee?: string | undefined;
  /** coin of chainFee, text of 1 to 32 characters; that of the withdrawal if absent */
  feeMarket?: string | undefined;
}

export interface WithdrawFailedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** attempt of the payout, as in withdraw.payout */
  attempt?: number | undefined;
  reason?: string | undefined;
}

export interface WithdrawUnknownData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** attempt of the payout, as in withdraw.payout */
  attempt?: number | undefined;
  reason?: string | undefined;
}

export interface WalletSavedData {
  /** the platform's own id of a wallet, text of 1 to 64 characters */
  wallet: string;
  /** name of the wallet, text of 1 to 64 characters */
  name?: string | undefined;
  kind: 'hot' | 'warm' | 'cold' | 'deposit' | 'gas' | 'exchange';
  /** marketName of a coin */
  market: string;
  /** network of a coin, such as TRC20 */
  network: string;
  /** address on the network, text of 1 to 256 characters */
  address?: string | undefined;
  /** memo or tag of the address, at most 256 characters */
  memo?: string | undefined;
  /** 0 out of use, 1 in use */
  state: 0 | 1;
}

export interface WalletBalanceData {
  /** the platform's own id of a wallet, text of 1 to 64 characters */
  wallet: string;
  /** decimal string, in the coin of the wallet */
  amount: string;
  /** height of the block, integer from 0 to 2^53 - 1 */
  block?: number | undefined;
}

export interface ChainMovedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** the platform's own id of a wallet, text of 1 to 64 characters */
  wallet: string;
  /** decimal string in the coin of the wallet: positive came in, negative went out */
  amount: string;
  /** transaction hash, text of 1 to 256 characters */
  txHash: string;
  /** number of the output or event in its transaction, from 0 */
  index?: number | undefined;
  /** address of the other side, text of 1 to 256 characters */
  address?: string | undefined;
  /** memo or tag of the address, at most 256 characters */
  memo?: string | undefined;
  kind: 'deposit' | 'payout' | 'move' | 'fee' | 'other';
  /** decimal string, what the chain took, in feeMarket */
  fee?: string | undefined;
  /** coin of fee, text of 1 to 32 characters; the coin of the wallet if absent */
  feeMarket?: string | undefined;
  /** no of the recharge, withdrawal or wallet transfer, text of 1 to 64 characters */
  record?: string | undefined;
  /** attempt of the payout, as in withdraw.payout */
  attempt?: number | undefined;
  /** height of the block, integer from 0 to 2^53 - 1 */
  block?: number | undefined;
}

export interface ChainRevertedData {
  /** no of the move, text of 1 to 64 characters */
  no: string;
}

export interface ScreenAnsweredData {
  /** number of the request, from the command screen.requested */
  no: string;
  /** name of the provider, text of 1 to 64 characters */
  provider: string;
  /** clear: nothing found; hit: must not pass; unknown: the provider cannot tell */
  result: 'clear' | 'hit' | 'unknown';
  /** risk, 0 to 100 */
  score?: number | undefined;
  /** what was found, at most 20 texts of 1 to 64 characters */
  categories?: string[] | undefined;
  /** the provider's number, text of 1 to 128 characters */
  reference?: string | undefined;
}

export interface AuthSubmittedData {
  /** account of a user */
  account: string;
  name: string;
  country: string;
  /** 1 identity card, 2 passport, 3 driving licence */
  idType: 1 | 2 | 3;
  idNumber: string;
  /** 1 basic, 2 advanced */
  level: 1 | 2;
  /** address of an image at the platform, or the image as a data: URL */
  front: string;
  /** address of an image at the platform, or the image as a data: URL */
  back: string;
  /** address of an image at the platform, or the image as a data: URL */
  holding?: string | undefined;
}

export interface AuthImportedData {
  /** account of a user */
  account: string;
  name: string;
  country: string;
  /** 1 identity card, 2 passport, 3 driving licence */
  idType: 1 | 2 | 3;
  idNumber: string;
  /** 1 basic, 2 advanced */
  level: 1 | 2;
  /** address of an image at the platform, or the image as a data: URL */
  front?: string | undefined;
  /** address of an image at the platform, or the image as a data: URL */
  back?: string | undefined;
  /** address of an image at the platform, or the image as a data: URL */
  holding?: string | undefined;
  /** 1 passed, 2 rejected */
  state: 1 | 2;
  reason?: string | undefined;
  /** account of an operator */
  by?: string | undefined;
  /** unix milliseconds */
  reviewedAt?: number | undefined;
}

export interface IeoOrderedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string above zero, in the coin of the market */
  amount: string;
}

export interface IeoCancelledData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
}

export interface IeoImportedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string above zero, in the coin of the market */
  amount: string;
  /** 1 passed, 2 rejected, 3 cancelled */
  state: 1 | 2 | 3;
  reason?: string | undefined;
  /** account of an operator */
  by?: string | undefined;
  /** unix milliseconds */
  reviewedAt?: number | undefined;
  /** account of an operator */
  secondBy?: string | undefined;
  /** whether the record takes its cost from the balance */
  booked?: boolean | undefined;
}

export interface TransferMadeData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** account of a user */
  toAccount: string;
  /** marketName of a market */
  market: string;
  /** 1 funding, 2 spot, 3 futures, 4 second contracts */
  platform: 1 | 2 | 3 | 4;
  /** 1 funding, 2 spot, 3 futures, 4 second contracts */
  toPlatform: 1 | 2 | 3 | 4;
  /** decimal string above zero, in the coin of the market */
  amount: string;
}

export interface BalanceImportedData {
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** 1 funding, 2 spot, 3 futures, 4 second contracts */
  platform: 1 | 2 | 3 | 4;
  /** decimal string above zero, in the coin of the market */
  active: string;
}

export interface BalanceAdjustedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** number of the whole action, text of 1 to 64 characters */
  batch: string;
  /** 1 split, 2 airdrop, 3 redenomination, 4 delisting */
  kind: 1 | 2 | 3 | 4;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** 1 funding, 2 spot, 3 futures, 4 second contracts */
  platform: 1 | 2 | 3 | 4;
  /** decimal string in the coin: positive is added, negative is taken */
  amount: string;
  /** text of 1 to 200 characters, shown to operators */
  reason: string;
  /** decimal string, expected active balance afterwards */
  balance?: string | undefined;
}

export interface OrderPlacedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** 1 buy, 2 sell */
  side: 1 | 2;
  /** 1 limit, 2 market */
  type: 1 | 2;
  /** decimal string above zero, in USDT */
  price?: string | undefined;
  /** decimal string above zero, in the coin of the market */
  amount?: string | undefined;
  /** decimal string above zero, in USDT */
  funds?: string | undefined;
}

export interface OrderFilledData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** number chosen by the platform, text of 1 to 64 characters */
  tradeNo: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string above zero, in the coin of the market */
  amount: string;
  /** decimal string, in `feeCoin`; negative is paid to the user */
  fee: string;
  /** marketName of the coin of the fee; what the user receives if absent */
  feeCoin?: string | undefined;
}

export interface OrderCancelledData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
}

export interface SecondOpenedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** 1 higher, 2 lower */
  side: 1 | 2;
  /** length in seconds, one of those of GET seconds */
  seconds: number;
  /** decimal string above zero, in USDT */
  amount: string;
}

export interface FollowOpenedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** number of a signal of the back office */
  signal: string;
  /** decimal string above zero, in USDT */
  amount: string;
  /** whether the platform followed on behalf of the user */
  auto?: boolean | undefined;
}

export interface FollowClosedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** decimal string, may be negative, in USDT */
  profit: string;
}

export interface PositionPlacedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** 0 with money, 1 without money */
  demo: 0 | 1;
  /** 1 long, 2 short */
  side: 1 | 2;
  /** 1 limit, 2 market */
  type: 1 | 2;
  leverage: number;
  /** decimal string above zero, in USDT */
  price?: string | undefined;
  /** decimal string above zero, in the coin of the market */
  amount: string;
  /** decimal string above zero, in USDT */
  margin: string;
}

export interface PositionOpenedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string, in USDT */
  fee: string;
  /** decimal string, part of the order; all that is not open if absent */
  amount?: string | undefined;
  /** decimal string in USDT, average price of the position afterwards */
  entryPrice?: string | undefined;
}

export interface PositionIncreasedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** number chosen by the platform, text of 1 to 64 characters */
  tradeNo: string;
  /** decimal string above zero, in the coin of the market */
  amount: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string, in USDT */
  fee: string;
  /** decimal string in USDT, added to the margin */
  margin: string;
  /** decimal string in USDT, average price of the position afterwards */
  entryPrice?: string | undefined;
}

export interface PositionFlippedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** number chosen by the platform, text of 1 to 64 characters */
  closeNo: string;
  /** number of the new position */
  newNo: string;
  /** decimal string, amount of the new position */
  amount: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string, in USDT */
  fee: string;
  /** decimal string in USDT, margin of the new position */
  margin: string;
  /** decimal string in USDT, profit or loss of the close, before the fee */
  realized?: string | undefined;
}

export interface PositionChangedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** decimal string, in USDT */
  takeProfit?: string | undefined;
  /** decimal string, in USDT */
  stopLoss?: string | undefined;
  /** decimal string above zero, in USDT */
  margin?: string | undefined;
}

export interface PositionClosedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** number chosen by the platform, text of 1 to 64 characters */
  closeNo: string;
  /** decimal string above zero, in the coin of the market */
  amount: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string, in USDT */
  fee: string;
  /** 1 by the user, 2 take-profit, 3 stop-loss, 5 command of an operator */
  closeType: 1 | 2 | 3 | 5;
  /** decimal string in USDT, profit or loss of the close, before the fee */
  realized?: string | undefined;
}

export interface PositionLiquidatedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** number chosen by the platform, text of 1 to 64 characters */
  closeNo: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string, in USDT */
  fee: string;
  /** decimal string in USDT, profit or loss of the close, before the fee */
  realized?: string | undefined;
}

export interface PositionCancelledData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
}

export interface FundingPaidData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** number of the position */
  position: string;
  /** decimal string in USDT: positive is paid to the user, negative by the user */
  amount: string;
}

export interface MessageReceivedData {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** account of a user */
  account: string;
  text: string;
  /** address of an image at the platform, or the image as a data: URL */
  image?: string | undefined;
}

export interface MarketSavedData {
  /** marketName of the market */
  market: string;
  /** integer from 1 to 2^53 - 1, higher than that of every earlier event */
  version: number;
  /** coin that a new pair trades */
  base?: string | undefined;
  /** coin that a new pair is quoted in */
  quote?: string | undefined;
  /** 0 unlisted, 1 listed, 2 suspended */
  state?: 0 | 1 | 2 | undefined;
  /** 0 off, 1 on */
  spot?: 0 | 1 | undefined;
  /** 0 off, 1 on */
  future?: 0 | 1 | undefined;
  /** 0 off, 1 on */
  second?: 0 | 1 | undefined;
  /** 0 off, 1 on */
  ieo?: 0 | 1 | undefined;
  /** number of decimals */
  pricePrecision?: number | undefined;
  /** number of decimals */
  amountPrecision?: number | undefined;
  /** decimal string, in the coin of the market */
  minAmount?: string | undefined;
  /** decimal string, in the coin of the market */
  maxAmount?: string | undefined;
  /** decimal string, ratio; negative is paid to the maker */
  makerFee?: string | undefined;
  /** decimal string, ratio */
  takerFee?: string | undefined;
  /** highest leverage */
  maxLeverage?: number | undefined;
  /** decimal string, ratio */
  maintenanceRate?: string | undefined;
  /** 0 leaves them as they are, 1 opens deposits */
  rechargeState?: 0 | 1 | undefined;
  /** networks to be listed */
  networks?: {
    /** network of a coin, such as TRC20 */
    network: string;
    /** 0 deposits as they are; of a new network closed, 1 deposits open */
    recharge?: 0 | 1 | undefined;
    /** 0 without effect, 1 without effect */
    withdraw?: 0 | 1 | undefined;
    /** decimal string, in the coin of the market */
    fee?: string | undefined;
    /** URL template with {tx} for the hash */
    explorer?: string | undefined;
  }[] | undefined;
}

export interface TickData {
  /** marketName of a market */
  market: string;
  /** decimal string above zero, in USDT */
  price: string;
  /** decimal string, traded amount of the coin */
  volume?: string | undefined;
  /** time of the price, in unix milliseconds */
  at: number;
}

/** Data of each type of event. */
export interface EventData {
  'agent.registered': AgentRegisteredData;
  'user.registered': UserRegisteredData;
  'user.login': UserLoginData;
  'user.credential': UserCredentialData;
  'recharge.detected': RechargeDetectedData;
  'recharge.credited': RechargeCreditedData;
  'recharge.failed': RechargeFailedData;
  'recharge.reversed': RechargeReversedData;
  'withdraw.imported': WithdrawImportedData;
  'withdraw.requested': WithdrawRequestedData;
  'withdraw.cancelled': WithdrawCancelledData;
  'withdraw.paying': WithdrawPayingData;
  'withdraw.paid': WithdrawPaidData;
  'withdraw.failed': WithdrawFailedData;
  'withdraw.unknown': WithdrawUnknownData;
  'wallet.saved': WalletSavedData;
  'wallet.balance': WalletBalanceData;
  'chain.moved': ChainMovedData;
  'chain.reverted': ChainRevertedData;
  'screen.answered': ScreenAnsweredData;
  'auth.submitted': AuthSubmittedData;
  'auth.imported': AuthImportedData;
  'ieo.ordered': IeoOrderedData;
  'ieo.cancelled': IeoCancelledData;
  'ieo.imported': IeoImportedData;
  'transfer.made': TransferMadeData;
  'balance.imported': BalanceImportedData;
  'balance.adjusted': BalanceAdjustedData;
  'order.placed': OrderPlacedData;
  'order.filled': OrderFilledData;
  'order.cancelled': OrderCancelledData;
  'second.opened': SecondOpenedData;
  'follow.opened': FollowOpenedData;
  'follow.closed': FollowClosedData;
  'position.placed': PositionPlacedData;
  'position.opened': PositionOpenedData;
  'position.increased': PositionIncreasedData;
  'position.flipped': PositionFlippedData;
  'position.changed': PositionChangedData;
  'position.closed': PositionClosedData;
  'position.liquidated': PositionLiquidatedData;
  'position.cancelled': PositionCancelledData;
  'funding.paid': FundingPaidData;
  'message.received': MessageReceivedData;
  'market.saved': MarketSavedData;
  tick: TickData;
}

export type EventType = keyof EventData;

export type PlatformEvent = {
  [T in EventType]: {
    /** Chosen by the platform, 1 to 128 characters. The same in each try. */
    eventId: string;
    type: T;
    /** When it happened, in unix milliseconds. */
    at: number;
    data: EventData[T];
  };
}[EventType];

export interface EventAnswer {
  eventId: string;
  result: 'applied' | 'duplicate' | 'rejected';
  reason?: string | undefined;
  /** place in the list of events and what is expected there */
  detail?: string | undefined;
}

export interface WithdrawPayoutCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** with no, the key under which the wallet pays once */
  attempt: number;
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** network of a coin, such as TRC20 */
  network: string;
  /** address on the network, text of 1 to 256 characters */
  address: string;
  /** memo or tag of the address, at most 256 characters */
  memo: string;
  /** canonical decimal string, in the coin of the market: what to pay */
  amount: string;
  /** in signed mode: canonical JSON that people signed */
  payout?: string | undefined;
  /** with payout: the consents of those who signed it */
  signatures?: {
    /** id of the key in the roster */
    key: string;
    /** canonical JSON whose SHA-256 is the challenge */
    consent: string;
    /** base64url */
    authenticatorData: string;
    /** base64url */
    clientDataJSON: string;
    /** base64url of an ES256 signature in DER */
    signature: string;
  }[] | undefined;
  /** instead of payout and signatures */
  mandate?: {
    /** canonical JSON of the mandate */
    text: string;
    signatures: {
      /** id of the key in the roster */
      key: string;
      /** canonical JSON whose SHA-256 is the challenge */
      consent: string;
      /** base64url */
      authenticatorData: string;
      /** base64url */
      clientDataJSON: string;
      /** base64url of an ES256 signature in DER */
      signature: string;
    }[];
  } | undefined;
}

export interface WithdrawReviewedCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** state of the record afterwards */
  state: number;
  /** in the language of the operators */
  reason?: string | undefined;
  /** with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other */
  reasonCode?: string | undefined;
}

export interface WalletMoveRequestedCommand {
  /** number of the transfer, for record of its two moves */
  no: string;
  /** the platform's own id of the wallet that pays */
  from: string;
  /** the platform's own id of the wallet that receives */
  to: string;
  /** canonical decimal string, in the coin of both wallets */
  amount: string;
}

export interface ScreenRequestedCommand {
  /** number of the request, for the event screen.answered */
  no: string;
  /** what to screen */
  kind: 'address' | 'name';
  /** account of a user */
  account: string;
  /** unix milliseconds until which an answer is expected */
  dueAt: number;
  /** with address: number of the withdrawal */
  withdraw?: string | undefined;
  /** marketName of a market */
  market?: string | undefined;
  /** network of a coin, such as TRC20 */
  network?: string | undefined;
  /** address on the network, text of 1 to 256 characters */
  address?: string | undefined;
  /** memo or tag of the address, at most 256 characters */
  memo?: string | undefined;
  /** canonical decimal string, in the coin of the market: amount of the withdrawal */
  amount?: string | undefined;
  /** 1 basic, 2 advanced */
  level?: 1 | 2 | undefined;
  /** with name: the name of the document */
  name?: string | undefined;
  /** with name: the country of the document */
  country?: string | undefined;
}

export interface RechargeReviewedCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** state of the record afterwards */
  state: number;
  /** in the language of the operators */
  reason?: string | undefined;
  /** with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other */
  reasonCode?: string | undefined;
}

export interface AuthReviewedCommand {
  /** account of a user */
  account: string;
  /** 1 basic, 2 advanced */
  level: 1 | 2;
  /** 1 passed, 2 rejected */
  state: 1 | 2;
  /** in the language of the operators */
  reason?: string | undefined;
  /** with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other */
  reasonCode?: string | undefined;
}

export interface IeoReviewedCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** state of the record afterwards */
  state: number;
  /** in the language of the operators */
  reason?: string | undefined;
  /** with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other */
  reasonCode?: string | undefined;
}

export interface BalanceChangedCommand {
  /** account of a user */
  account: string;
  /** marketName of a market */
  market: string;
  /** 1 funding, 2 spot, 3 futures, 4 second contracts */
  platform: 1 | 2 | 3 | 4;
  /** canonical decimal string, in the coin of the market: balance afterwards */
  active: string;
  /** canonical decimal string, in the coin of the market: balance afterwards */
  frozen: string;
  /** number of the ledger entry */
  entry: number;
}

export interface UserCreatedCommand {
  /** account of a user */
  account: string;
  /** account of the agent */
  agent: string;
  /** argon2id hash */
  password: string;
}

export interface UserUpdatedCommand {
  /** account of a user */
  account: string;
  /** 0 frozen, 1 normal */
  state: 0 | 1;
  /** 0 may not place orders, 1 may place orders */
  trade: 0 | 1;
  /** 0 off, 1 on */
  ieoBuy: 0 | 1;
  /** 0 off, 1 on */
  ieoSell: 0 | 1;
  /** 0 signals are not followed automatically, 1 signals may be followed automatically */
  ai: 0 | 1;
  /** 0 payout of the configuration, 1 payout of winRate */
  winType: 0 | 1;
  winRate: string | null;
}

export interface ConfigUpdatedCommand {
  key: string;
  kind: string;
  str: string;
  /** canonical decimal string */
  num: string;
  state: number;
}

export interface AnnouncePublishedCommand {
  /** number of the announcement */
  no: string;
  lang: string;
  title: string;
  /** sanitised HTML */
  content: string;
  /** 0 everywhere, 1 web, 2 app */
  platform: 0 | 1 | 2;
  /** 0 hidden, 1 shown */
  state: 0 | 1;
  /** 0 exists, 1 deleted */
  deleted: 0 | 1;
  /** unix milliseconds */
  at: number;
  /** 0 in order, 1 before the others */
  pinned: 0 | 1;
  publishAt: number | null;
  /** the same for all languages of one announcement */
  group: string;
}

export interface UserDeletedCommand {
  /** account of a user */
  account: string;
  /** 0 frozen, 1 normal */
  state: 0 | 1;
  /** 0 may not place orders, 1 may place orders */
  trade: 0 | 1;
  /** 0 off, 1 on */
  ieoBuy: 0 | 1;
  /** 0 off, 1 on */
  ieoSell: 0 | 1;
  /** 0 signals are not followed automatically, 1 signals may be followed automatically */
  ai: 0 | 1;
  /** 0 payout of the configuration, 1 payout of winRate */
  winType: 0 | 1;
  winRate: string | null;
}

export interface UserPasswordCommand {
  /** account of a user */
  account: string;
  /** argon2id hash */
  password: string;
}

export interface MarketUpdatedCommand {
  marketName: string;
  base?: string | null | undefined;
  quote?: string | null | undefined;
  spot: 0 | 1;
  future: 0 | 1;
  second: 0 | 1;
  ieo: 0 | 1;
  pricePrecision: number;
  amountPrecision: number;
  /** canonical decimal string */
  minAmount: string;
  /** canonical decimal string */
  maxAmount: string;
  /** as a ratio: 0.001 is 0.1 %; negative is paid to the maker */
  makerFee: string;
  /** as a ratio */
  takerFee: string;
  maxLeverage: number;
  /** as a ratio */
  maintenanceRate: string;
  /** canonical decimal string */
  withdrawFee: string;
  /** canonical decimal string */
  withdrawMin: string;
  /** canonical decimal string */
  withdrawMax: string;
  rechargeState: 0 | 1;
  withdrawState: 0 | 1;
  networks: {
    network: string;
    recharge: 0 | 1;
    withdraw: 0 | 1;
    /** canonical decimal string */
    fee: string;
    /** URL template of the block explorer with {tx} for the hash */
    explorer: string;
    /** how accounts of the network are written; absent: as the name says */
    family?: 'evm' | 'bitcoin' | 'bitcoincash' | 'litecoin' | 'dogecoin' | 'tron' | 'ton' | 'xrp' | 'stellar' | 'solana' | 'substrate' | 'aptos' | 'sui' | 'near' | 'cosmos' | 'cardano' | 'filecoin' | 'hedera' | 'monero' | 'eos' | 'opaque' | undefined;
    /** minutes after which the outcome of a payout that is under way becomes unknown; 0 never; absent: as the setting says */
    payingMinutes?: number | undefined;
    /** minutes that a move on the chain and its record may wait for each other; absent: as the setting says */
    matchMinutes?: number | undefined;
  }[];
  sort: number;
  state: number;
}

export interface MarketHaltedCommand {
  /** marketName of a market */
  marketName: string;
  /** 1 spot, 2 futures, 3 second contracts */
  marketType: 1 | 2 | 3;
  /** unix milliseconds */
  haltedAt: number;
  /** unix milliseconds */
  resumeAt: number;
  price: string | null;
}

export interface MarketResumedCommand {
  /** marketName of a market */
  marketName: string;
  /** 1 spot, 2 futures, 3 second contracts */
  marketType: 1 | 2 | 3;
}

export interface PlanUpdatedCommand {
  /** marketName of a market */
  marketName: string;
  /** 1 spot, 2 futures, 3 second contracts */
  marketType: 1 | 2 | 3;
  /** canonical decimal string, in USDT */
  minPrice: string;
  /** canonical decimal string, in USDT */
  maxPrice: string;
  /** shown to operators only */
  planPrice: string;
  /** minutes of a halt */
  planMinute: number;
  /** 0 off, 1 on */
  planState: 0 | 1;
}

export interface OrderCancelCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
}

export interface SecondSettledCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** 1 won, 2 lost, 3 equal */
  result: 1 | 2 | 3;
  /** signed decimal string, in USDT */
  profit: string;
  openTick: {
    /** canonical decimal string, in USDT */
    price: string;
    /** unix milliseconds */
    at: number;
  };
  closeTick: {
    /** canonical decimal string, in USDT */
    price: string;
    /** unix milliseconds */
    at: number;
  };
}

export interface SecondVoidedCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  reason: string;
  /** with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other */
  reasonCode?: string | undefined;
}

export interface SignalPublishedCommand {
  /** number of the signal */
  no: string;
  title: string;
  /** marketName of a market */
  market: string;
  /** 1 long, 2 short */
  side: 1 | 2;
  leverage: number;
  /** canonical decimal string, in USDT: entry price */
  price: string;
  takeProfit: string | null;
  stopLoss: string | null;
  /** percent of the futures account that an automatic following uses */
  ratio: string;
  /** canonical decimal string, in USDT: minimum stake */
  minAmount: string;
  /** canonical decimal string, in USDT: maximum stake */
  maxAmount: string;
  /** unix milliseconds; follows may be opened from here on */
  startAt: number;
  /** unix milliseconds; follows may be opened before */
  endAt: number;
  /** 1 can be followed, 2 ended */
  state: 1 | 2;
}

export interface FollowCloseCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
}

export interface PositionCancelCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
}

export interface PositionCloseCommand {
  /** number chosen by the platform, text of 1 to 64 characters */
  no: string;
  /** canonical decimal string, in the coin of the market */
  amount: string;
}

export interface MessageSentCommand {
  /** number of the message */
  no: string;
  /** account of a user */
  account: string;
  text: string;
  /** data: URL */
  image?: string | undefined;
  /** unix milliseconds */
  at: number;
}

export interface AuditHeadCommand {
  number: number;
  previous: string;
  rows: number;
  hash: string;
  /** unix milliseconds */
  at: number;
  key: string;
  signature: string;
}

/** Data of each type of command. */
export interface CommandData {
  'withdraw.payout': WithdrawPayoutCommand;
  'withdraw.reviewed': WithdrawReviewedCommand;
  'wallet.move.requested': WalletMoveRequestedCommand;
  'screen.requested': ScreenRequestedCommand;
  'recharge.reviewed': RechargeReviewedCommand;
  'auth.reviewed': AuthReviewedCommand;
  'ieo.reviewed': IeoReviewedCommand;
  'balance.changed': BalanceChangedCommand;
  'user.created': UserCreatedCommand;
  'user.updated': UserUpdatedCommand;
  'config.updated': ConfigUpdatedCommand;
  'announce.published': AnnouncePublishedCommand;
  'user.deleted': UserDeletedCommand;
  'user.password': UserPasswordCommand;
  'market.updated': MarketUpdatedCommand;
  'market.halted': MarketHaltedCommand;
  'market.resumed': MarketResumedCommand;
  'plan.updated': PlanUpdatedCommand;
  'order.cancel': OrderCancelCommand;
  'second.settled': SecondSettledCommand;
  'second.voided': SecondVoidedCommand;
  'signal.published': SignalPublishedCommand;
  'follow.close': FollowCloseCommand;
  'position.cancel': PositionCancelCommand;
  'position.close': PositionCloseCommand;
  'message.sent': MessageSentCommand;
  'audit.head': AuditHeadCommand;
}

export type CommandType = keyof CommandData;

export type Command = {
  [T in CommandType]: {
    seq: number;
    id: number;
    /** unix milliseconds */
    at: number;
    attempt: number;
    /** the lease that came with the command */
    lease?: string | undefined;
    /** unix milliseconds */
    leaseUntil?: number | undefined;
    type: T;
    data: CommandData[T];
  };
}[CommandType];

export interface Ack {
  id: number;
  state: 'done' | 'failed' | 'unknown';
  reason?: string | undefined;
  /** the lease that came with the command */
  lease?: string | undefined;
}

export interface AckAnswer {
  id: number;
  result: 'applied' | 'duplicate' | 'lost' | 'unknown';
}

/** Why a call was refused. */
export type GatewayError = 'unknown_key' | 'invalid_time' | 'clock_skew' | 'bad_signature' | 'key_expired' | 'nonce_required' | 'nonce_reused' | 'address_not_allowed' | 'not_permitted' | 'forbidden' | 'not_found' | 'too_large' | 'invalid_utf8' | 'invalid_json' | 'too_many_events' | 'too_many_acks' | 'invalid' | 'internal_error' | 'unavailable';

/** Query and data of each call that reads. */
export interface Reads {
  'commands/replay': { query: {
    from: number;
    limit?: number | undefined;
  }; data: {
    seq: number;
    id: number;
    type: string;
    /** unix milliseconds */
    at: number;
    attempt: number;
    /** as in the command */
    data: unknown;
    state: 'waiting' | 'sent' | 'done' | 'failed' | 'unknown';
    /** reason of the answer; empty without one */
    reason: string;
  }[] };
  balances: { query: {
    /** account of a user */
    account: string;
  }; data: {
    /** marketName of a market */
    market: string;
    /** 1 funding, 2 spot, 3 futures, 4 second contracts */
    platform: 1 | 2 | 3 | 4;
    /** canonical decimal string, in the coin of the market */
    active: string;
    /** canonical decimal string, in the coin of the market */
    frozen: string;
  }[] };
  users: { query: {
    /** account of a user */
    account: string;
  }; data: {
    /** account of a user */
    account: string;
    /** 0 frozen, 1 normal */
    state: 0 | 1;
    /** 0 may not place orders, 1 may place orders */
    trade: 0 | 1;
    /** 0 off, 1 on */
    ieoBuy: 0 | 1;
    /** 0 off, 1 on */
    ieoSell: 0 | 1;
    /** 0 signals are not followed automatically, 1 signals may be followed automatically */
    ai: 0 | 1;
    /** 0 payout of the configuration, 1 payout of winRate */
    winType: 0 | 1;
    winRate: string | null;
    /** account of the agent */
    agent: string;
  } };
  'balances/snapshot': { query: {
    fact?: number | undefined;
    /** `next` of a page */
    after?: string | undefined;
    limit?: number | undefined;
  }; data: {
    /** number of the last ledger entry that the balances contain */
    fact: number;
    balances: {
      /** account of a user */
      account: string;
      /** marketName of a market */
      market: string;
      /** 1 funding, 2 spot, 3 futures, 4 second contracts */
      platform: 1 | 2 | 3 | 4;
      /** canonical decimal string, in the coin of the market */
      active: string;
      /** canonical decimal string, in the coin of the market */
      frozen: string;
    }[];
    next: string | null;
  } };
  markets: { query: Record<string, never>; data: {
    marketName: string;
    base?: string | null | undefined;
    quote?: string | null | undefined;
    spot: 0 | 1;
    future: 0 | 1;
    second: 0 | 1;
    ieo: 0 | 1;
    pricePrecision: number;
    amountPrecision: number;
    /** canonical decimal string */
    minAmount: string;
    /** canonical decimal string */
    maxAmount: string;
    /** as a ratio: 0.001 is 0.1 %; negative is paid to the maker */
    makerFee: string;
    /** as a ratio */
    takerFee: string;
    maxLeverage: number;
    /** as a ratio */
    maintenanceRate: string;
    /** canonical decimal string */
    withdrawFee: string;
    /** canonical decimal string */
    withdrawMin: string;
    /** canonical decimal string */
    withdrawMax: string;
    rechargeState: 0 | 1;
    withdrawState: 0 | 1;
    networks: {
      network: string;
      recharge: 0 | 1;
      withdraw: 0 | 1;
      /** canonical decimal string */
      fee: string;
      /** URL template of the block explorer with {tx} for the hash */
      explorer: string;
      /** how accounts of the network are written; absent: as the name says */
      family?: 'evm' | 'bitcoin' | 'bitcoincash' | 'litecoin' | 'dogecoin' | 'tron' | 'ton' | 'xrp' | 'stellar' | 'solana' | 'substrate' | 'aptos' | 'sui' | 'near' | 'cosmos' | 'cardano' | 'filecoin' | 'hedera' | 'monero' | 'eos' | 'opaque' | undefined;
      /** minutes after which the outcome of a payout that is under way becomes unknown; 0 never; absent: as the setting says */
      payingMinutes?: number | undefined;
      /** minutes that a move on the chain and its record may wait for each other; absent: as the setting says */
      matchMinutes?: number | undefined;
    }[];
    state: number;
    price: string | null;
    /** kinds of trading that are halted now */
    halted: (1 | 2 | 3)[];
  }[] };
  withdrawals: { query: {
    /** number chosen by the platform, text of 1 to 64 characters */
    no: string;
  }; data: {
    /** number chosen by the platform, text of 1 to 64 characters */
    no: string;
    /** account of a user */
    account: string;
    /** marketName of a market */
    market: string;
    /** network of a coin, such as TRC20 */
    network: string;
    /** address on the network, text of 1 to 256 characters */
    address: string;
    /** memo or tag of the address, at most 256 characters */
    memo: string;
    /** canonical decimal string, in the coin of the market, fee included */
    amount: string;
    /** canonical decimal string, in the coin of the market */
    fee: string;
    /** state of the withdrawal */
    state: number;
    /** number of the latest payout; 0 before the first */
    attempt: number;
    /** empty before it is known */
    txHash: string;
  } };
  seconds: { query: Record<string, never>; data: {
    market: string | null;
    /** length in seconds */
    seconds: number;
    /** percent */
    payoutRate: string;
    /** canonical decimal string, in USDT */
    minAmount: string;
    /** canonical decimal string, in USDT; 0 means no limit */
    maxAmount: string;
    sort: number;
    /** 0 off, 1 on */
    state: 0 | 1;
  }[] };
  announcements: { query: {
    lang?: 'zh-CN' | 'zh-TW' | 'en' | 'ja' | 'ko' | 'vi' | 'th' | undefined;
    platform?: 0 | 1 | 2 | undefined;
  }; data: {
    no: string;
    lang: string;
    title: string;
    /** sanitised HTML */
    content: string;
    /** 0 everywhere, 1 web, 2 app */
    platform: 0 | 1 | 2;
    /** unix milliseconds */
    at: number;
    /** unix milliseconds */
    updatedAt: number;
    /** 0 in order, 1 before the others */
    pinned: 0 | 1;
    /** the same for all languages of one announcement */
    group: string;
  }[] };
  'announcements/image': { query: {
    key: string;
  }; data: {
    key: string;
    type: string;
    /** pixels */
    width: number;
    /** pixels */
    height: number;
    /** base64 */
    data: string;
  } };
  liabilities: { query: Record<string, never>; data: {
    format: 'hengtai.liability';
    version: number;
    id: number;
    /** unix milliseconds */
    at: number;
    users: number;
    totals: {
      marketName: string;
      amount: string;
    }[];
    root: string;
  } | null };
  'liabilities/proof': { query: {
    account: string;
    id?: number | undefined;
  }; data: {
    format: 'hengtai.liability';
    version: number;
    id: number;
    /** unix milliseconds */
    at: number;
    users: number;
    index: number;
    account: string;
    salt: string;
    balances: {
      marketName: string;
      amount: string;
    }[];
    path: {
      hash: string;
      sums: string[];
    }[];
    totals: {
      marketName: string;
      amount: string;
    }[];
    root: string;
  } };
  signals: { query: Record<string, never>; data: {
    /** number of the signal */
    no: string;
    title: string;
    /** marketName of a market */
    market: string;
    /** 1 long, 2 short */
    side: 1 | 2;
    leverage: number;
    /** canonical decimal string, in USDT: entry price */
    price: string;
    takeProfit: string | null;
    stopLoss: string | null;
    /** percent of the futures account that an automatic following uses */
    ratio: string;
    /** canonical decimal string, in USDT: minimum stake */
    minAmount: string;
    /** canonical decimal string, in USDT: maximum stake */
    maxAmount: string;
    /** unix milliseconds; follows may be opened from here on */
    startAt: number;
    /** unix milliseconds; follows may be opened before */
    endAt: number;
    /** 1 can be followed, 2 ended */
    state: 1 | 2;
  }[] };
  rosters: { query: {
    /** version that is held */
    after?: number | undefined;
  }; data: {
    version: number;
    /** canonical JSON */
    text: string;
    /** by keys of the roster before; of the first roster by its own */
    signatures: {
      /** id of the key in the roster */
      key: string;
      /** canonical JSON whose SHA-256 is the challenge */
      consent: string;
      /** base64url */
      authenticatorData: string;
      /** base64url */
      clientDataJSON: string;
      /** base64url of an ES256 signature in DER */
      signature: string;
    }[];
  }[] };
  'withdrawal-limits': { query: {
    /** account of a user */
    account: string;
  }; data: {
    /** marketName of a market */
    market: string;
    /** 0 identity not verified, 1 basic, 2 advanced */
    level: 0 | 1 | 2;
    /** 0 the user may not withdraw the coin, 1 the user may withdraw it */
    withdrawState: 0 | 1;
    /** canonical decimal string, in the coin of the market: least amount */
    min: string;
    /** canonical decimal string, in the coin of the market: greatest amount; 0 means no limit */
    max: string;
    /** canonical decimal string, in the coin of the market: limit of a UTC day, fees included; 0 means no limit */
    dayAmount: string;
    /** withdrawals of a UTC day; 0 means no limit */
    dayCount: number;
    /** canonical decimal string, in the coin of the market: requested on this UTC day, fees included */
    usedAmount: string;
    /** withdrawals requested on this UTC day */
    usedCount: number;
    feeFixed: string | null;
    feeRate: string | null;
  }[] };
}
