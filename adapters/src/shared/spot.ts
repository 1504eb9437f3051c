import type { PlatformEvent } from '../../../clients/typescript/src/index.ts';
import { fromUnits, multiplyDown, multiplyUp, toUnits } from './decimal.ts';

/** One side of a trade of two customers, or of a customer with the exchange. */
export interface Fill {
  /** Unique for each side of each trade; at most 60 characters. */
  no: string;
  account: string;
  market: string;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  /** In what the customer receives. */
  fee: string;
  at: number;
}

const SETTLEMENT = 'USDT';
const FUNDING = 1;
const SPOT = 2;
const LIMIT = 1;

/**
 * A trade as the back office books it: what is paid moves to the spot account, an order of exactly this size is placed and
 * filled there, and what was received moves back. Exchanges with one account for each coin have no other place for it.
 *
 * @param prefix beginning of the event ids
 */
export function fillEvents(
  { no, account, market, side, price, amount, fee, at }: Fill,
  prefix: string,
): PlatformEvent[] {
  const [paidCoin, receivedCoin] = side === 'buy' ? [SETTLEMENT, market] : [market, SETTLEMENT];
  const [priceUnits, amountUnits] = [toUnits(price), toUnits(amount)];
  const paid = side === 'buy' ? multiplyUp(priceUnits, amountUnits) : amountUnits;
  const received = (side === 'buy' ? amountUnits : multiplyDown(priceUnits, amountUnits)) - toUnits(fee);
  const move = (name: string, coin: string, units: bigint, from: number, to: number): PlatformEvent => ({
    eventId: `${prefix}:${name}`,
    type: 'transfer.made',
    at,
    data: {
      no: `${no}-${name}`,
      account,
      toAccount: account,
      market: coin,
      platform: from,
      toPlatform: to,
      amount: fromUnits(units),
    } as Extract<PlatformEvent, { type: 'transfer.made' }>['data'],
  });
  const order = { no, account, market, side: side === 'buy' ? 1 : 2, type: LIMIT, price, amount } as const;
  return [
    move('in', paidCoin, paid, FUNDING, SPOT),
    { eventId: `${prefix}:placed`, type: 'order.placed', at, data: order },
    { eventId: `${prefix}:filled`, type: 'order.filled', at, data: { no, tradeNo: no, price, amount, fee } },
    ...(received > 0n ? [move('out', receivedCoin, received, SPOT, FUNDING)] : []),
  ];
}
