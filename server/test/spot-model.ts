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
  left: bigint;
  filled: bigint;
  state: 0 | 1 | 2 | 3;
}

export interface Purse {
  usdt: bigint;
  usdtFrozen: bigint;
  coin: bigint;
  coinFrozen: bigint;
}

/** `applied`, or the rejection reason. */
export type Verdict = string;

export class SpotModel {
  readonly orders = new Map<string, ModelOrder>();
  readonly trades = new Set<string>();
  readonly purses: Purse[];

  constructor(users: number, usdt: bigint, coin: bigint) {
    this.purses = Array.from({ length: users }, () => ({ usdt, usdtFrozen: 0n, coin, coinFrozen: 0n }));
  }

  place(no: string, user: number, side: 1 | 2, ask: { price?: bigint; amount?: bigint; funds?: bigint }): Verdict {
    const purse = this.purse(user);
    const cost = side === 2 ? (ask.amount ?? 0n) : (ask.funds ?? (ask.price ?? 0n) * (ask.amount ?? 0n));
    if (this.orders.has(no)) return 'exists';
    if ((side === 2 ? purse.coin : purse.usdt) < cost) return 'insufficient';
    this.freeze(purse, side, cost);
    const left = ask.funds ?? ask.amount ?? 0n;
    this.orders.set(no, { no, user, side, price: ask.price, amount: ask.amount, left, filled: 0n, state: 0 });
    return 'applied';
  }

  /** @param fee in 10^-4 USDT for a sale, in 1/100 of the coin for a purchase */
  fill(no: string, trade: string, price: bigint, amount: bigint, fee: bigint): Verdict {
    const order = this.orders.get(no);
    if (!order) return 'unknown: no';
    if (this.trades.has(trade)) return 'exists';
    if (order.state > 1) return 'state';
    const { side, price: limit } = order;
    if (limit !== undefined && (side === 1 ? price > limit : price < limit)) return 'beyond the limit';
    const worth = price * amount;
    const funds = order.amount === undefined;
    if (!funds && amount > order.left) return 'beyond the order';
    if (fee > (side === 1 ? amount : worth)) return 'fee';
    if (funds && worth > order.left) return 'beyond the order';
    const purse = this.purse(order.user);
    this.trades.add(trade);
    order.left -= funds ? worth : amount;
    order.filled += amount;
    if (side === 1) {
      purse.usdtFrozen -= funds ? worth : (limit ?? 0n) * amount;
      purse.usdt += funds ? 0n : ((limit ?? 0n) - price) * amount;
      purse.coin += amount - fee;
    } else {
      purse.coinFrozen -= amount;
      purse.usdt += worth - fee;
    }
    // 1/100 is the smallest amount of the market.
    const done = funds ? order.left < price : order.left === 0n;
    order.state = done ? 2 : 1;
    if (done && funds) this.freeze(purse, 1, -order.left);
    return 'applied';
  }

  cancel(no: string): Verdict {
    const order = this.orders.get(no);
    if (!order) return 'unknown: no';
    if (order.state > 1) return 'state';
    const rest = order.side === 2 || order.amount === undefined ? order.left : order.left * (order.price ?? 0n);
    this.freeze(this.purse(order.user), order.side, -rest);
    order.state = 3;
    return 'applied';
  }

  private freeze(purse: Purse, side: 1 | 2, amount: bigint): void {
    if (side === 1) {
      purse.usdt -= amount;
      purse.usdtFrozen += amount;
    } else {
      purse.coin -= amount;
      purse.coinFrozen += amount;
    }
  }

  private purse(user: number): Purse {
    const purse = this.purses[user];
    if (!purse) throw new Error(`no user ${user}`);
    return purse;
  }
}

/** Converts integer units to the decimal text of the API. */
export function wire(units: bigint, decimals: number): string {
  const text = units.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? text.slice(0, -decimals) : `${text.slice(0, -decimals)}.${fraction}`;
}
