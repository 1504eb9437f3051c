import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { D } from '../src/amount.ts';

type Amount = InstanceType<typeof D>;
type Move = (key: string, change: Amount) => unknown;

interface OpenPosition {
  account: string;
  demo: number;
  sign: 1 | -1;
  remaining: Amount;
  margin: Amount;
  open: string | undefined;
}

/**
 * Computes the balance changes of futures from the events alone, as the server does.
 *
 * @param freeOf current free balance by balance key
 */
export function trackFutureMoney(move: Move, freeOf: (key: string) => Amount): (event: PlatformEvent) => void {
  const positions = new Map<string, OpenPosition>();
  const positionOf = (no: string): OpenPosition => {
    const position = positions.get(no);
    if (!position) throw new Error(`an event for position ${no}, which is not open`);
    return position;
  };
  const credit = (position: OpenPosition, amount: Amount): void => {
    if (position.demo === 0 && !amount.isZero()) move(`${position.account}|USDT|3`, amount);
  };
  const charge = (position: OpenPosition, amount: Amount): void => {
    if (position.demo === 1) return;
    const free = D.min(amount, freeOf(`${position.account}|USDT|3`));
    credit(position, free.neg());
    position.margin = position.margin.minus(D.min(amount.minus(free), position.margin));
  };
  const close = (no: string, amount: Amount | undefined, price: string, fee: string): void => {
    const position = positionOf(no);
    const closeAmount = amount ?? position.remaining;
    if (position.open === undefined || closeAmount.gt(position.remaining))
      throw new Error(`a close of more than the open amount of ${no}`);
    const share = closeAmount.eq(position.remaining)
      ? position.margin
      : position.margin.mul(closeAmount).div(position.remaining).toDecimalPlaces(18, D.ROUND_DOWN);
    const profit = new D(price)
      .minus(position.open)
      .mul(position.sign)
      .mul(closeAmount)
      .toDecimalPlaces(18, D.ROUND_FLOOR);
    const marginLost = D.min(D.max(profit.neg(), 0), position.margin);
    const returned = D.max(share.minus(marginLost), 0);
    position.margin = position.margin.minus(marginLost).minus(returned);
    position.remaining = position.remaining.minus(closeAmount);
    credit(position, returned.plus(D.max(profit, 0)));
    charge(position, new D(fee));
    if (position.remaining.isZero()) positions.delete(no);
  };
  return ({ type, data }) => {
    if (type === 'position.placed') {
      const { no, account, demo, side, amount, margin } = data;
      const position: OpenPosition = {
        account,
        demo,
        sign: side === 1 ? 1 : -1,
        remaining: new D(amount),
        margin: new D(margin),
        open: undefined,
      };
      positions.set(no, position);
      credit(position, position.margin.neg());
    } else if (type === 'position.opened') {
      positionOf(data.no).open = data.price;
      charge(positionOf(data.no), new D(data.fee));
    } else if (type === 'position.closed') close(data.no, new D(data.amount), data.price, data.fee);
    else if (type === 'position.liquidated') close(data.no, undefined, data.price, data.fee);
    else if (type === 'position.cancelled') {
      credit(positionOf(data.no), positionOf(data.no).margin);
      positions.delete(data.no);
    } else if (type === 'funding.paid') {
      const amount = new D(data.amount);
      if (amount.lt(0)) charge(positionOf(data.position), amount.neg());
      else credit(positionOf(data.position), amount);
    }
  };
}
