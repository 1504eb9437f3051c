import type { PlatformEvent } from '@hengtai/contract/gateway.schema';
import { D } from '../src/amount.ts';

type Amount = InstanceType<typeof D>;
type Move = (key: string, change: Amount) => unknown;

interface Held {
  account: string;
  market: string;
  buys: boolean;
  price: string | undefined;
  coin: string;
  frozen: Amount;
  left: Amount;
}

/** Computes the balance changes of spot orders from the events alone, as the server does. */
export function trackSpotMoney(move: Move, decimals: (market: string) => number): (event: PlatformEvent) => void {
  const orders = new Map<string, Held>();
  return ({ type, data }) => {
    if (type === 'order.placed') {
      const { no, account, market, side, price, amount, funds } = data;
      const buys = side === 1;
      const frozen = new D(buys ? (funds ?? new D(price ?? 0).mul(amount ?? 0)) : (amount ?? 0));
      const coin = buys ? 'USDT' : market;
      orders.set(no, { account, market, buys, price, coin, frozen, left: new D(amount ?? 0) });
      move(`${account}|${coin}|2`, frozen.neg());
    } else if (type === 'order.filled') {
      const held = orders.get(data.no);
      if (!held) throw new Error(`a fill of order ${data.no}, which is not open`);
      const worth = new D(data.price).mul(data.amount);
      const { account, market, buys, price, coin } = held;
      move(`${account}|${buys ? market : 'USDT'}|2`, (buys ? new D(data.amount) : worth).minus(data.fee));
      const taken = buys ? new D(price ?? data.price).mul(data.amount) : new D(data.amount);
      held.frozen = held.frozen.minus(taken);
      held.left = held.left.minus(data.amount);
      if (held.frozen.lt(0)) throw new Error(`a fill of more than the frozen amount of ${data.no}`);
      if (buys && price !== undefined) move(`${account}|USDT|2`, taken.minus(worth));
      const dust = new D(data.price).mul(new D(10).pow(-decimals(market)));
      if (!(buys && price === undefined ? held.frozen.lt(dust) : held.left.isZero())) return;
      if (!held.frozen.isZero()) move(`${account}|${coin}|2`, held.frozen);
      orders.delete(data.no);
    } else if (type === 'order.cancelled') {
      const held = orders.get(data.no);
      if (!held) throw new Error(`a cancel of order ${data.no}, which is not open`);
      move(`${held.account}|${held.coin}|2`, held.frozen);
      orders.delete(data.no);
    }
  };
}
