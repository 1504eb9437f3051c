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

export interface FuturesBalance {
  active: bigint;
  frozen: bigint;
}

/** Value of 1/100 of price times 1/10,000 of a coin. */
const PRODUCT = 10n ** 12n;

/** `applied`, or the rejection reason. */
export type Outcome = string;

const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export class FutureModel {
  readonly positions = new Map<string, ModelPosition>();
  readonly numbers = new Set<string>();
  readonly balances: FuturesBalance[];
  fee = 0n;
  trading = 0n;
  insurance = 0n;

  constructor(users: number, usdt: bigint) {
    this.balances = Array.from({ length: users }, () => ({ active: usdt, frozen: 0n }));
  }

  place(
    no: string,
    user: number,
    input: Pick<ModelPosition, 'demo' | 'side' | 'price' | 'amount'> & { margin: bigint },
  ): Outcome {
    const { margin, ...rest } = input;
    if (this.positions.has(no)) return 'exists';
    if (!input.demo) {
      const purse = this.balanceOf(user);
      if (purse.active < margin) return 'insufficient';
      purse.active -= margin;
      purse.frozen += margin;
    }
    this.positions.set(no, { no, user, ...rest, closed: 0n, open: 0n, held: margin, state: 0, realized: 0n });
    return 'applied';
  }

  open(no: string, price: bigint, fee: bigint): Outcome {
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

  changeMargin(no: string, margin: bigint): Outcome {
    const position = this.positions.get(no);
    if (!position) return 'unknown: no';
    if (position.state > 1) return 'state';
    const increase = margin - position.held;
    if (!position.demo) {
      const purse = this.balanceOf(position.user);
      if (purse.active < increase) return 'insufficient';
      purse.active -= increase;
      purse.frozen += increase;
    }
    position.held = margin;
    return 'applied';
  }

  cancel(no: string): Outcome {
    const position = this.positions.get(no);
    if (!position) return 'unknown: no';
    if (position.state !== 0) return 'state';
    this.returnMargin(position, position.held);
    position.state = 3;
    return 'applied';
  }

  /** @param amount undefined for a liquidation, which closes the whole open amount */
  close(no: string, closeNo: string, amount: bigint | undefined, price: bigint, fee: bigint): Outcome {
    const position = this.positions.get(no);
    const isDuplicate = this.numbers.has(closeNo);
    if (!position) return isDuplicate ? 'exists' : 'unknown: no';
    if (position.state !== 1) return isDuplicate ? 'exists' : 'state';
    const remaining = position.amount - position.closed;
    const closeAmount = amount ?? remaining;
    if (closeAmount > remaining) return isDuplicate ? 'exists' : 'beyond the order';
    if (isDuplicate) return 'exists';
    this.numbers.add(closeNo);
    const isLast = closeAmount === remaining;
    const profit = (position.side === 1 ? price - position.open : position.open - price) * closeAmount * PRODUCT;
    const share = isLast ? position.held : (position.held * closeAmount) / remaining;
    if (profit < 0n) this.takeLoss(position, -profit, share);
    else {
      this.returnMargin(position, share);
      if (!position.demo) this.balanceOf(position.user).active += profit;
      if (!position.demo) this.trading -= profit;
    }
    this.fee += this.charge(position, fee);
    position.closed += closeAmount;
    position.realized += profit;
    if (isLast) position.state = amount === undefined ? 4 : 2;
    return 'applied';
  }

  payFunding(no: string, positionNo: string, amount: bigint): Outcome {
    const position = this.positions.get(positionNo);
    const isDuplicate = this.numbers.has(no);
    if (position?.state !== 1) return isDuplicate ? 'exists' : position ? 'state' : 'unknown: position';
    if (isDuplicate) return 'exists';
    this.numbers.add(no);
    if (amount < 0n) this.trading += this.charge(position, -amount);
    else if (!position.demo) {
      this.balanceOf(position.user).active += amount;
      this.trading -= amount;
    }
    return 'applied';
  }

  /** Takes a loss from the margin share, then from the remaining margin, then from the insurance account. */
  private takeLoss(position: ModelPosition, loss: bigint, share: bigint): void {
    const marginLost = minOf(loss, position.held);
    position.held -= marginLost;
    if (!position.demo) {
      this.balanceOf(position.user).frozen -= marginLost;
      this.trading += loss;
      this.insurance -= loss - marginLost;
    }
    if (share > marginLost) this.returnMargin(position, share - marginLost);
  }

  /** Returns the amount that the receiver gets. A demo position moves nothing. */
  private charge(position: ModelPosition, amount: bigint): bigint {
    if (position.demo) return 0n;
    const purse = this.balanceOf(position.user);
    const active = minOf(amount, purse.active);
    const margin = minOf(amount - active, position.held);
    purse.active -= active;
    purse.frozen -= margin;
    position.held -= margin;
    this.insurance -= amount - active - margin;
    return amount;
  }

  private returnMargin(position: ModelPosition, amount: bigint): void {
    position.held -= amount;
    if (position.demo) return;
    const purse = this.balanceOf(position.user);
    purse.frozen -= amount;
    purse.active += amount;
  }

  private balanceOf(user: number): FuturesBalance {
    const balance = this.balances[user];
    if (!balance) throw new Error(`no user ${user}`);
    return balance;
  }
}
