import { createHash } from 'node:crypto';
import type { PlatformEvent } from '../../../clients/typescript/src/index.ts';
import { decimalText } from '../shared/decimal.ts';
import { fillEvents } from '../shared/spot.ts';
import { timeOf } from '../shared/time.ts';
import type { Movement, Trade } from './api.ts';

/** How the plugin names the coins of the exchange. Others are left out. */
export type Coins = Readonly<Record<string, { market: string; network: string; withdrawFee: string }>>;

/** The exchange numbers its users; an account of the back office has at least two characters. */
export const accountOf = (userId: number): string => `hollaex-${userId}`;
export const userIdOf = (account: string): number => Number(account.slice('hollaex-'.length));

/** Address of what an administrator moved between two users. */
const TRANSFER = 'transfer';

export const isTransfer = ({ address }: Movement): boolean => address === TRANSFER;
export const isFinal = ({ status, dismissed, rejected }: Movement): boolean => status || dismissed || rejected;

export const registered = (userId: number, at: number): PlatformEvent => ({
  eventId: `hollaex:user:${userId}`,
  type: 'user.registered',
  at,
  data: { account: accountOf(userId) },
});

/** A deposit in the state that it has now. */
export function mapDeposit(deposit: Movement, coins: Coins): PlatformEvent[] {
  const { id, user_id, currency, network, amount, address, transaction_id, status, dismissed, rejected } = deposit;
  const coin = coins[currency];
  if (!coin) return [];
  const no = String(id);
  const createdAt = timeOf(deposit.created_at);
  const updatedAt = timeOf(deposit.updated_at);
  const data = {
    no,
    account: accountOf(user_id),
    market: coin.market,
    network: network ?? coin.network,
    address,
    ...(transaction_id ? { txHash: transaction_id } : {}),
    amount: decimalText(amount),
    confirmations: 0,
    source: 1 as const,
  };
  const idOf = (step: string): string => `hollaex:deposit:${id}:${step}`;
  const user = registered(user_id, createdAt);
  if (status) return [user, { eventId: idOf('credited'), type: 'recharge.credited', at: updatedAt, data }];
  const detected = { eventId: idOf('detected'), type: 'recharge.detected', at: createdAt, data } as const;
  if (!dismissed && !rejected) return [user, detected];
  const remark = `HollaEx: ${rejected ? 'rejected' : 'dismissed'}`;
  const failed = { eventId: idOf('failed'), type: 'recharge.failed', at: updatedAt, data: { no, remark } } as const;
  return [user, detected, failed];
}

/** What an administrator moved from one user to another: HollaEx lists it as a deposit and as a withdrawal. */
export function mapTransfer(deposit: Movement, withdrawal: Movement, coins: Coins): PlatformEvent[] {
  const market = coins[deposit.currency]?.market;
  if (market === undefined || !deposit.status) return [];
  const at = timeOf(deposit.created_at);
  const [account, toAccount] = [accountOf(withdrawal.user_id), accountOf(deposit.user_id)];
  return [
    registered(withdrawal.user_id, at),
    registered(deposit.user_id, at),
    {
      eventId: `hollaex:transfer:${deposit.id}`,
      type: 'transfer.made',
      at,
      data: {
        no: `H${deposit.id}`,
        account,
        toAccount,
        market,
        platform: 1,
        toPlatform: 1,
        amount: decimalText(deposit.amount),
      },
    },
  ];
}

/** The outcome of a withdrawal that the plugin has started for a withdrawal of the back office. */
export function mapPayout(withdrawal: Movement, no: string): PlatformEvent[] {
  const { id, status, dismissed, rejected, processing, transaction_id } = withdrawal;
  const at = timeOf(withdrawal.updated_at);
  const idOf = (step: string): string => `hollaex:withdrawal:${id}:${step}`;
  if (status) {
    const data = { no, txHash: transaction_id ?? String(id) };
    return [{ eventId: idOf('paid'), type: 'withdraw.paid', at, data }];
  }
  if (dismissed || rejected) {
    const reason = `HollaEx: ${rejected ? 'rejected' : 'dismissed'}`;
    return [{ eventId: idOf('failed'), type: 'withdraw.failed', at, data: { no, reason } }];
  }
  return processing ? [{ eventId: idOf('paying'), type: 'withdraw.paying', at, data: { no } }] : [];
}

/**
 * A trade. HollaEx gives it no number, so its number is a digest of what makes it unique: two orders match once at a time.
 *
 * @throws if a fee is in another coin than what the user receives, which the back office does not book
 */
export function mapTrade(trade: Trade, coins: Coins): PlatformEvent[] {
  const { symbol, maker_order_id, taker_order_id, timestamp, size, price } = trade;
  const [base = '', quote] = symbol.split('-');
  const market = coins[base]?.market;
  if (market === undefined || quote !== 'usdt') return [];
  const unique = JSON.stringify([symbol, maker_order_id, taker_order_id, timestamp, size, price]);
  const id = createHash('sha256').update(unique).digest('hex').slice(0, 32);
  const at = timeOf(timestamp);
  const amounts = { price: decimalText(price), amount: decimalText(size) };
  const other = trade.side === 'buy' ? ('sell' as const) : ('buy' as const);
  const sides = [
    { userId: trade.maker_id, side: other, fee: trade.maker_fee, feeCoin: trade.maker_fee_coin },
    { userId: trade.taker_id, side: trade.side, fee: trade.taker_fee, feeCoin: trade.taker_fee_coin },
  ];
  const { price: tickPrice, amount: volume } = amounts;
  return [
    { eventId: `hollaex:trade:${id}:tick`, type: 'tick', at, data: { market, price: tickPrice, volume, at } },
    ...sides.flatMap(({ userId, side, fee, feeCoin }) => {
      if (userId === null) return [];
      const received = side === 'buy' ? base : 'usdt';
      if (fee && feeCoin !== received) throw new Error(`trade of ${timestamp}: its fee is in ${String(feeCoin)}`);
      const fill = { no: `${id}-${side}`, account: accountOf(userId), market, side, ...amounts, at };
      return [
        registered(userId, at),
        ...fillEvents({ ...fill, fee: decimalText(fee ?? 0) }, `hollaex:trade:${id}:${side}`),
      ];
    }),
  ];
}
