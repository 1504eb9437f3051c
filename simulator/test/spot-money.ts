import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { D } from '../src/amount.ts';

type Amount = InstanceType<typeof D>;
type Move = (key: string, change: Amount) => unknown;

interface OpenOrder {
  account: string;
  market: string;
  isPurchase: boolean;
  price: string | undefined;
  coin: string;
  frozen: Amount;
  remaining: Amount;
}

/** Computes the balance changes of spot orders from the events alone, as the server does. */
export function trackSpotMoney(move: Move, decimals: (market: string) => number): (event: PlatformEvent) => void {
  const orders = new Map<string, OpenOrder>();
  return ({ type, data }) => {
    if (type === 'order.placed') {
      const { no, account, market, side, price, amount, funds } = data;
      const isPurchase = side === 1;
      const frozen = new D(isPurchase ? (funds ?? new D(price ?? 0).mul(amount ?? 0)) : (amount ?? 0));
      const coin = isPurchase ? 'USDT' : market;
      orders.set(no, { account, market, isPurchase, price, coin, frozen, remaining: new D(amount ?? 0) });
      move(`${account}|${coin}|2`, frozen.neg());
    } else if (type === 'order.filled') {
      const order = orders.get(data.no);
      if (!order) throw new Error(`a fill of order ${data.no}, which is not open`);
      const turnover = new D(data.price).mul(data.amount);
      const { account, market, isPurchase, price, coin } = order;
      const received = isPurchase ? market : 'USDT';
      move(`${account}|${received}|2`, isPurchase ? new D(data.amount) : turnover);
      move(`${account}|${data.feeCoin ?? received}|2`, new D(data.fee).neg());
      const spent = isPurchase ? new D(price ?? data.price).mul(data.amount) : new D(data.amount);
      order.frozen = order.frozen.minus(spent);
      order.remaining = order.remaining.minus(data.amount);
      if (order.frozen.lt(0)) throw new Error(`a fill of more than the frozen amount of ${data.no}`);
      if (isPurchase && price !== undefined) move(`${account}|USDT|2`, spent.minus(turnover));
      const dust = new D(data.price).mul(new D(10).pow(-decimals(market)));
      if (!(isPurchase && price === undefined ? order.frozen.lt(dust) : order.remaining.isZero())) return;
      if (!order.frozen.isZero()) move(`${account}|${coin}|2`, order.frozen);
      orders.delete(data.no);
    } else if (type === 'order.cancelled') {
      const order = orders.get(data.no);
      if (!order) throw new Error(`a cancel of order ${data.no}, which is not open`);
      move(`${order.account}|${order.coin}|2`, order.frozen);
      orders.delete(data.no);
    }
  };
}
