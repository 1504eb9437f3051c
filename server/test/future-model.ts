/**
 * In-memory model of futures, in units of 10^-18 USDT as in the ledger. Prices are integers in 1/100 and amounts in
 * 1/10,000, so only the margin share of a partial close is rounded.
 */
export interface ModelPosition {
  no: string;
  user: number;
  demo: boolean;
  side: 1 | 2;
  price: bigint | undefined;
  amount: bigint;
  closed: bigint;
  open: bigint;
  held: bigint;
  state: 0 | 1 | 2 | 3 | 4;
  realized: bigint;
}

export interface FuturePurse {
  active: bigint;
  frozen: bigint;
}

/** Value of 1/100 of price times 1/10,000 of a coin. */
const PRODUCT = 10n ** 12n;

/** `applied`, or the rejection reason. */
export type Verdict = string;

const less = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export class FutureModel {
  readonly positions = new Map<string, ModelPosition>();
  readonly numbers = new Set<string>();
  readonly purses: FuturePurse[];
  fee = 0n;
  trading = 0n;
  insurance = 0n;

  constructor(users: number, usdt: bigint) {
    this.purses = Array.from({ length: users }, () => ({ active: usdt, frozen: 0n }));
  }

  place(
    no: string,
    user: number,
    asked: Pick<ModelPosition, 'demo' | 'side' | 'price' | 'amount'> & { margin: bigint },
  ): Verdict {
    const { margin, ...rest } = asked;
    if (this.positions.has(no)) return 'exists';
    if (!asked.demo) {
      const purse = this.purse(user);
      if (purse.active < margin) return 'insufficient';
      purse.active -= margin;
      purse.frozen += margin;
    }
    this.positions.set(no, { no, user, ...rest, closed: 0n, open: 0n, held: margin, state: 0, realized: 0n });
    return 'applied';
  }

  open(no: string, price: bigint, fee: bigint): Verdict {
    const position = this.positions.get(no);
    if (!position) return 'unknown: no';
    if (position.state !== 0) return 'state';
    const { side, price: limit } = position;
    if (limit !== undefined && (side === 1 ? price > limit : price < limit)) return 'beyond the limit';
    position.state = 1;
    position.open = price;
    this.fee += this.charge(position, fee);
    return 'applied';
  }

  margin(no: string, margin: bigint): Verdict {
    const position = this.positions.get(no);
    if (!position) return 'unknown: no';
    if (position.state > 1) return 'state';
    const more = margin - position.held;
    if (!position.demo) {
      const purse = this.purse(position.user);
      if (purse.active < more) return 'insufficient';
      purse.active -= more;
      purse.frozen += more;
    }
    position.held = margin;
    return 'applied';
  }

  cancel(no: string): Verdict {
    const position = this.positions.get(no);
    if (!position) return 'unknown: no';
    if (position.state !== 0) return 'state';
    this.back(position, position.held);
    position.state = 3;
    return 'applied';
  }

  /** @param amount undefined for a liquidation, which closes the whole open amount */
  close(no: string, closeNo: string, amount: bigint | undefined, price: bigint, fee: bigint): Verdict {
    const position = this.positions.get(no);
    const known = this.numbers.has(closeNo);
    if (!position) return known ? 'exists' : 'unknown: no';
    if (position.state !== 1) return known ? 'exists' : 'state';
    const left = position.amount - position.closed;
    const part = amount ?? left;
    if (part > left) return known ? 'exists' : 'beyond the order';
    if (known) return 'exists';
    this.numbers.add(closeNo);
    const last = part === left;
    const profit = (position.side === 1 ? price - position.open : position.open - price) * part * PRODUCT;
    const share = last ? position.held : (position.held * part) / left;
    if (profit < 0n) this.lose(position, -profit, share);
    else {
      this.back(position, share);
      if (!position.demo) this.purse(position.user).active += profit;
      if (!position.demo) this.trading -= profit;
    }
    this.fee += this.charge(position, fee);
    position.closed += part;
    position.realized += profit;
    if (last) position.state = amount === undefined ? 4 : 2;
    return 'applied';
  }

  fund(no: string, position: string, amount: bigint): Verdict {
    const found = this.positions.get(position);
    const known = this.numbers.has(no);
    if (found?.state !== 1) return known ? 'exists' : found ? 'state' : 'unknown: position';
    if (known) return 'exists';
    this.numbers.add(no);
    if (amount < 0n) this.trading += this.charge(found, -amount);
    else if (!found.demo) {
      this.purse(found.user).active += amount;
      this.trading -= amount;
    }
    return 'applied';
  }

  /** Takes a loss from the margin share, then from the remaining margin, then from the insurance account. */
  private lose(position: ModelPosition, loss: bigint, share: bigint): void {
    const lost = less(loss, position.held);
    position.held -= lost;
    if (!position.demo) {
      this.purse(position.user).frozen -= lost;
      this.trading += loss;
      this.insurance -= loss - lost;
    }
    if (share > lost) this.back(position, share - lost);
  }

  /** Returns the amount that the receiver gets. A demo position moves nothing. */
  private charge(position: ModelPosition, amount: bigint): bigint {
    if (position.demo) return 0n;
    const purse = this.purse(position.user);
    const active = less(amount, purse.active);
    const margin = less(amount - active, position.held);
    purse.active -= active;
    purse.frozen -= margin;
    position.held -= margin;
    this.insurance -= amount - active - margin;
    return amount;
  }

  private back(position: ModelPosition, amount: bigint): void {
    position.held -= amount;
    if (position.demo) return;
    const purse = this.purse(position.user);
    purse.frozen -= amount;
    purse.active += amount;
  }

  private purse(user: number): FuturePurse {
    const purse = this.purses[user];
    if (!purse) throw new Error(`no user ${user}`);
    return purse;
  }
}
