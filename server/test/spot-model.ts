/**
 * In-memory model of spot orders in units of 10^-4. Prices and amounts are integers in 1/100, so every product is
 * exact.
 */
export interface ModelOrder {
  no: string;
  user: number;
  side: 1 | 2;
  price: bigint | undefined;
  amount: bigint | undefined;
  /** Remaining amount, or remaining USDT in units of 10^-4 for a purchase by funds. */
  remaining: bigint;
  filled: bigint;
  state: 0 | 1 | 2 | 3;
}

export interface SpotBalance {
  usdt: bigint;
  usdtFrozen: bigint;
  coin: bigint;
  coinFrozen: bigint;
}

/** `applied`, or the rejection reason. */
export type Outcome = string;

export class SpotModel {
  readonly orders = new Map<string, ModelOrder>();
  readonly trades = new Set<string>();
  readonly balances: SpotBalance[];

  constructor(users: number, usdt: bigint, coin: bigint) {
    this.balances = Array.from({ length: users }, () => ({ usdt, usdtFrozen: 0n, coin, coinFrozen: 0n }));
  }

  place(no: string, user: number, side: 1 | 2, input: { price?: bigint; amount?: bigint; funds?: bigint }): Outcome {
    const purse = this.balanceOf(user);
    const cost = side === 2 ? (input.amount ?? 0n) : (input.funds ?? (input.price ?? 0n) * (input.amount ?? 0n));
    if (this.orders.has(no)) return 'exists';
    if ((side === 2 ? purse.coin : purse.usdt) < cost) return 'insufficient';
    this.freeze(purse, side, cost);
    const remaining = input.funds ?? input.amount ?? 0n;
    this.orders.set(no, { no, user, side, price: input.price, amount: input.amount, remaining, filled: 0n, state: 0 });
    return 'applied';
  }

  /** @param fee in 10^-4 USDT for a sale, in 1/100 of the coin for a purchase */
  fill(no: string, trade: string, price: bigint, amount: bigint, fee: bigint): Outcome {
    const order = this.orders.get(no);
    if (!order) return 'unknown: no';
    if (this.trades.has(trade)) return 'exists';
    if (order.state > 1) return 'state';
    const { side, price: limit } = order;
    if (limit !== undefined && (side === 1 ? price > limit : price < limit)) return 'beyond the limit';
    const turnover = price * amount;
    const isByFunds = order.amount === undefined;
    if (!isByFunds && amount > order.remaining) return 'beyond the order';
    if (fee > (side === 1 ? amount : turnover)) return 'fee';
    if (isByFunds && turnover > order.remaining) return 'beyond the order';
    const purse = this.balanceOf(order.user);
    this.trades.add(trade);
    order.remaining -= isByFunds ? turnover : amount;
    order.filled += amount;
    if (side === 1) {
      purse.usdtFrozen -= isByFunds ? turnover : (limit ?? 0n) * amount;
      purse.usdt += isByFunds ? 0n : ((limit ?? 0n) - price) * amount;
      purse.coin += amount - fee;
    } else {
      purse.coinFrozen -= amount;
      purse.usdt += turnover - fee;
    }
    // 1/100 is the smallest amount of the market.
    const isFilled = isByFunds ? order.remaining < price : order.remaining === 0n;
    order.state = isFilled ? 2 : 1;
    if (isFilled && isByFunds) this.freeze(purse, 1, -order.remaining);
    return 'applied';
  }

  cancel(no: string): Outcome {
    const order = this.orders.get(no);
    if (!order) return 'unknown: no';
    if (order.state > 1) return 'state';
    const held =
      order.side === 2 || order.amount === undefined ? order.remaining : order.remaining * (order.price ?? 0n);
    this.freeze(this.balanceOf(order.user), order.side, -held);
    order.state = 3;
    return 'applied';
  }

  private freeze(purse: SpotBalance, side: 1 | 2, amount: bigint): void {
    if (side === 1) {
      purse.usdt -= amount;
      purse.usdtFrozen += amount;
    } else {
      purse.coin -= amount;
      purse.coinFrozen += amount;
    }
  }

  private balanceOf(user: number): SpotBalance {
    const purse = this.balances[user];
    if (!purse) throw new Error(`no user ${user}`);
    return purse;
  }
}

/** Converts integer units to the decimal text of the API. */
export function toDecimalText(units: bigint, decimals: number): string {
  const text = units.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? text.slice(0, -decimals) : `${text.slice(0, -decimals)}.${fraction}`;
}
