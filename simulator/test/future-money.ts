import type { PlatformEvent } from '@hengtai/contract/gateway.schema';
import { D } from '../src/amount.ts';

type Amount = InstanceType<typeof D>;
type Move = (key: string, change: Amount) => unknown;

interface Held {
  account: string;
  demo: number;
  sign: 1 | -1;
  left: Amount;
  held: Amount;
  open: string | undefined;
}

/**
 * Computes the balance changes of futures from the events alone, as the server does.
 *
 * @param freeOf current free balance by balance key
 */
export function trackFutureMoney(move: Move, freeOf: (key: string) => Amount): (event: PlatformEvent) => void {
  const positions = new Map<string, Held>();
  const positionOf = (no: string): Held => {
    const found = positions.get(no);
    if (!found) throw new Error(`an event for position ${no}, which is not open`);
    return found;
  };
  const credit = (held: Held, amount: Amount): void => {
    if (held.demo === 0 && !amount.isZero()) move(`${held.account}|USDT|3`, amount);
  };
  const charge = (held: Held, amount: Amount): void => {
    if (held.demo === 1) return;
    const free = D.min(amount, freeOf(`${held.account}|USDT|3`));
    credit(held, free.neg());
    held.held = held.held.minus(D.min(amount.minus(free), held.held));
  };
  const close = (no: string, amount: Amount | undefined, price: string, fee: string): void => {
    const held = positionOf(no);
    const part = amount ?? held.left;
    if (held.open === undefined || part.gt(held.left)) throw new Error(`a close of more than the open amount of ${no}`);
    const share = part.eq(held.left) ? held.held : held.held.mul(part).div(held.left).toDecimalPlaces(18, D.ROUND_DOWN);
    const profit = new D(price).minus(held.open).mul(held.sign).mul(part).toDecimalPlaces(18, D.ROUND_FLOOR);
    const lost = D.min(D.max(profit.neg(), 0), held.held);
    const back = D.max(share.minus(lost), 0);
    held.held = held.held.minus(lost).minus(back);
    held.left = held.left.minus(part);
    credit(held, back.plus(D.max(profit, 0)));
    charge(held, new D(fee));
    if (held.left.isZero()) positions.delete(no);
  };
  return ({ type, data }) => {
    if (type === 'position.placed') {
      const { no, account, demo, side, amount, margin } = data;
      const held: Held = {
        account,
        demo,
        sign: side === 1 ? 1 : -1,
        left: new D(amount),
        held: new D(margin),
        open: undefined,
      };
      positions.set(no, held);
      credit(held, held.held.neg());
    } else if (type === 'position.opened') {
      positionOf(data.no).open = data.price;
      charge(positionOf(data.no), new D(data.fee));
    } else if (type === 'position.closed') close(data.no, new D(data.amount), data.price, data.fee);
    else if (type === 'position.liquidated') close(data.no, undefined, data.price, data.fee);
    else if (type === 'position.cancelled') {
      credit(positionOf(data.no), positionOf(data.no).held);
      positions.delete(data.no);
    } else if (type === 'funding.paid') {
      const amount = new D(data.amount);
      if (amount.lt(0)) charge(positionOf(data.position), amount.neg());
      else credit(positionOf(data.position), amount);
    }
  };
}
