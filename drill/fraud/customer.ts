import { createAddress } from '../../simulator/src/address.ts';
import { chooseDevice } from '../../simulator/src/name.ts';
import type { Random } from '../../simulator/src/random.ts';
import { type Coin, type Label, MINUTE, type Timeline, amountText, feeOf, networkOf } from './timeline.ts';

/** Where a withdrawal goes: an address, or one with a memo. */
export type Payee = string | { address: string; memo: string };

/** A customer whose actions are added to a timeline in order of time. */
export class Customer {
  readonly account: string;
  readonly joined: number;
  readonly device: string;
  readonly dice: Random;
  level: 0 | 1 | 2 = 0;
  ip: string;
  readonly timeline: Timeline;
  readonly #balances = new Map<Coin, number>();

  constructor(timeline: Timeline, account: string, joined: number, options: { ip?: string; agent?: string } = {}) {
    this.timeline = timeline;
    this.account = account;
    this.joined = joined;
    this.dice = timeline.dice('customer', account);
    this.ip = options.ip ?? homeAddress(this.dice);
    this.device = chooseDevice(this.dice);
    timeline.event(joined, 'user.registered', { account, ...(options.agent && { agent: options.agent }) });
    this.login(joined + MINUTE);
  }

  balance(coin: Coin): number {
    return this.#balances.get(coin) ?? 0;
  }

  value(coin: Coin, at: number): number {
    return this.balance(coin) * this.timeline.price(coin, at);
  }

  #move(coin: Coin, amount: number): void {
    // Rounded down, so that no plan takes more than there is.
    const units = coin === 'USDT' ? 100 : 1e6;
    this.#balances.set(coin, Math.max(0, this.balance(coin) + Math.floor(amount * units) / units));
  }

  newAddress(coin: Coin): string {
    return createAddress(networkOf(coin), this.dice);
  }

  login(at: number, { ip = this.ip, device = this.device } = {}): void {
    this.timeline.event(at, 'user.login', { account: this.account, ip, device });
  }

  changeCredential(at: number, kind: 'password' | 'otp' | 'phone' | 'mail' = 'password'): void {
    this.timeline.event(at, 'user.credential', { account: this.account, kind });
  }

  verify(at: number, level: 1 | 2): void {
    this.level = level;
    this.timeline.event(at, 'auth.imported', {
      account: this.account,
      name: 'Sample',
      country: 'CN',
      idType: 2,
      idNumber: `${this.account}-${level}`,
      level,
      state: 1,
      reviewedAt: Math.round(at),
    });
  }

  /** @returns the number of the recharge */
  recharge(at: number, coin: Coin, amount: number, isVoucher = false): string {
    const no = this.timeline.number('R');
    const source = isVoucher
      ? { network: 'Bank', address: 'card', source: 2, confirmations: 0, voucher: 'https://example.test/slip.png' }
      : {
          network: networkOf(coin),
          address: createAddress(networkOf(coin), this.timeline.dice('deposit', this.account, coin)),
          source: 1,
          confirmations: 20,
          txHash: `x${no}`,
        };
    const data = { no, account: this.account, market: coin, amount: amountText(coin, amount), ...source };
    this.timeline.event(at, 'recharge.credited', data);
    this.#move(coin, amount);
    return no;
  }

  reverse(at: number, no: string): void {
    this.timeline.event(at, 'recharge.reversed', { no, remark: 'reorganized' });
  }

  /** What an operator adds by hand. */
  credit(at: number, amount: number): void {
    this.timeline.task(at, { kind: 'credit', account: this.account, amount: amountText('USDT', amount) });
    this.#move('USDT', amount);
  }

  /** A withdrawal from before the installation, paid. */
  importWithdrawal(at: number, coin: Coin, amount: number, payee: Payee): void {
    const data = this.#withdrawal(coin, amount, payee);
    const paid = { state: 4, txHash: `x${data.no}`, reviewedAt: Math.round(at + 20 * MINUTE), booked: true };
    this.timeline.event(at, 'withdraw.imported', { ...data, ...paid });
    this.#move(coin, -amount);
  }

  withdraw(at: number, coin: Coin, amount: number, payee: Payee, label: Label | null = null): void {
    const data = this.#withdrawal(coin, amount, payee);
    this.timeline.event(at, 'withdraw.requested', data);
    const value = amount * this.timeline.price(coin, at);
    this.timeline.withdrawals.set(data.no, { no: data.no, at, value, label });
    this.#move(coin, -amount);
  }

  #withdrawal(coin: Coin, amount: number, payee: Payee) {
    return {
      no: this.timeline.number('W'),
      account: this.account,
      market: coin,
      network: networkOf(coin),
      ...(typeof payee === 'string' ? { address: payee } : payee),
      amount: amountText(coin, amount),
      fee: String(feeOf(coin)),
    };
  }

  transfer(at: number, to: Customer, amount: number): void {
    this.#send(at, to.account, 'USDT', amountText('USDT', amount), 1, 1);
    this.#move('USDT', -amount);
    to.#move('USDT', amount);
  }

  /** Buys a coin for USDT, or sells it, at the price of the time or another one. */
  trade(at: number, coin: 'BTC' | 'ETH', side: 'buy' | 'sell', amount: number, price?: number): void {
    const text = amountText(coin, amount);
    const paid = (price ?? this.timeline.price(coin, at)).toFixed(2);
    const cost = (Number(text) * Number(paid)).toFixed(8);
    const isBuy = side === 'buy';
    this.#send(at, this.account, isBuy ? 'USDT' : coin, isBuy ? cost : text, 1, 2);
    const no = this.timeline.number('O');
    const order = { no, account: this.account, market: coin, side: isBuy ? 1 : 2, type: 1, price: paid, amount: text };
    this.timeline.event(at + 1_000, 'order.placed', order);
    const fill = { no, tradeNo: `F${no}`, price: paid, amount: text, fee: '0' };
    this.timeline.event(at + 2_000, 'order.filled', fill);
    this.#send(at + 3_000, this.account, isBuy ? coin : 'USDT', isBuy ? text : cost, 2, 1);
    this.#move('USDT', isBuy ? -Number(cost) : Number(cost));
    this.#move(coin, isBuy ? Number(text) : -Number(text));
  }

  #send(at: number, toAccount: string, market: Coin, amount: string, platform: number, toPlatform: number): void {
    const no = this.timeline.number('T');
    this.timeline.event(at, 'transfer.made', {
      no,
      account: this.account,
      toAccount,
      market,
      platform,
      toPlatform,
      amount,
    });
  }
}

const homeAddress = (dice: Random): string => `198.${dice.int(18, 19)}.${dice.int(0, 255)}.${dice.int(1, 254)}`;
