import { randomUUID } from 'node:crypto';
import type { CommandData, EventData } from '../../clients/typescript/src/index.ts';
import type { Payment } from '../src/control.ts';
import type { Flaw } from './flaws.ts';

type PayoutData = CommandData['withdraw.payout'];

interface Payout {
  id: number;
  data: PayoutData;
  state: 'accepted' | 'paid' | 'given up';
}

/** What the wallet keeps through a crash. */
export class WalletDisk {
  /** By number and attempt. */
  readonly payouts = new Map<string, Payout>();
  readonly payments: Payment[] = [];
  /** Ids of commands whose acks were sent. */
  readonly acknowledged = new Set<number>();
}

/** What the wallet needs of the rest of the platform. */
interface Surroundings {
  has: (flaw: Flaw) => boolean;
  emit: <T extends 'withdraw.paid' | 'withdraw.failed'>(type: T, data: EventData[T]) => void;
  onMove: (
    market: string,
    move: Pick<EventData['chain.moved'], 'kind' | 'record' | 'attempt' | 'amount' | 'txHash'>,
  ) => void;
}

/** The wallet of the sample platform, in one process. It pays once for each number and attempt. */
export class SampleWallet {
  readonly #disk: WalletDisk;
  readonly #has: Surroundings['has'];
  readonly #emit: Surroundings['emit'];
  readonly #onMove: Surroundings['onMove'];
  /** Payouts that this process has taken; only a flawed wallet knows no others. */
  readonly #memory = new Set<string>();
  #holds = false;

  constructor(disk: WalletDisk, { has, emit, onMove }: Surroundings) {
    this.#disk = disk;
    this.#has = has;
    this.#emit = emit;
    this.#onMove = onMove;
  }

  /** Pays what the process before had accepted. */
  resume(): void {
    const { payouts } = this.#disk;
    for (const [key, payout] of payouts) {
      if (payout.state !== 'accepted') continue;
      if (this.#has('forgets accepted payouts in a crash')) payout.state = 'given up';
      else this.#send(key);
    }
  }

  take(id: number, data: PayoutData): void {
    const key = this.#keyOf(data.no, data.attempt);
    const paysAgain = this.#has('pays on every delivery') || this.#has('pays for every webhook');
    const isKnown = this.#has('forgets its payments in a crash') ? this.#memory.has(key) : this.#disk.payouts.has(key);
    if (isKnown && !paysAgain) return;
    this.#memory.add(key);
    if (this.#disk.payouts.has(key)) {
      this.#disk.payments.push(paymentOf(data));
      return;
    }
    if (this.#has('forgets an attempt when the next one comes'))
      this.#disk.payouts.delete(this.#keyOf(data.no, data.attempt - 1));
    this.#disk.payouts.set(key, { id, data, state: 'accepted' });
    if (!this.#holds) this.#send(key);
  }

  /** Without it the payouts that arrive are sent at once. */
  hold(on: boolean): void {
    this.#holds = on;
  }

  /** Ends a held payout. */
  settle(no: string, attempt: number, paid: boolean): void {
    const key = this.#keyOf(no, attempt);
    const payout = this.#disk.payouts.get(key);
    if (payout?.state !== 'accepted') return;
    if (paid) return this.#send(key);
    payout.state = 'given up';
    if (this.#has('pays what it gave up')) this.#disk.payments.push(paymentOf(payout.data));
    const named = this.#has('leaves the attempt out of failures') ? {} : { attempt };
    this.#emit('withdraw.failed', { no, ...named, reason: 'dropped by the chain' });
  }

  /** A flawed wallet pays when a withdrawal is requested. */
  onRequest(payment: Payment): void {
    if (this.#has('pays at the request')) this.#disk.payments.push(payment);
  }

  onAcknowledged(id: number): void {
    const { acknowledged, payouts } = this.#disk;
    if (acknowledged.has(id)) return;
    acknowledged.add(id);
    const payout = [...payouts.values()].find((one) => one.id === id);
    if (payout?.state === 'paid' && this.#has('reports payments only after the ack')) this.#report(payout.data);
  }

  isPayout(id: number): boolean {
    return [...this.#disk.payouts.values()].some((payout) => payout.id === id);
  }

  listPayments(): readonly Payment[] {
    return this.#disk.payments;
  }

  #keyOf(no: string, attempt: number): string {
    return this.#has('ignores the attempt') ? no : `${no} ${attempt}`;
  }

  #send(key: string): void {
    const payout = this.#disk.payouts.get(key);
    if (!payout) return;
    payout.state = 'paid';
    const payment = this.#spoil(paymentOf(payout.data));
    if (payment) this.#disk.payments.push(payment);
    const waits = this.#has('reports payments only after the ack') && !this.#disk.acknowledged.has(payout.id);
    if (!waits) this.#report(payout.data);
  }

  #report({ no, attempt, market, amount }: PayoutData): void {
    if (this.#has('never reports payments')) return;
    const named = this.#has('reports every payment as attempt 1') ? 1 : attempt;
    const txHash = `0x${randomUUID().replaceAll('-', '')}`;
    const moved = this.#has('moves the gross amount of a payout') ? String(Number(amount) + 1) : amount;
    this.#onMove(market, { kind: 'payout', record: no, attempt: named, amount: `-${moved}`, txHash });
    this.#emit('withdraw.paid', { no, attempt: named, txHash });
  }

  /** @returns what a flawed wallet pays instead; undefined for nothing */
  #spoil(payment: Payment): Payment | undefined {
    const { amount } = payment;
    if (this.#has('pays nothing') || this.#has('pays at the request')) return undefined;
    if (this.#has('pays another address')) return { ...payment, address: `${payment.address}1` };
    if (this.#has('pays the gross amount')) return { ...payment, amount: String(Number(amount) + 1) };
    if (this.#has('rounds the amount')) return { ...payment, amount: Number(amount).toFixed(2) };
    if (this.#has('drops the memo')) return { ...payment, memo: '' };
    if (this.#has('pays on its usual network')) return { ...payment, network: 'TRC20' };
    if (this.#has('pays another coin')) return { ...payment, market: 'USDC' };
    if (this.#has('pays an attempt under the next number')) return { ...payment, attempt: payment.attempt + 1 };
    return payment;
  }
}

const paymentOf = ({ no, attempt, market, network, address, memo, amount }: PayoutData): Payment => ({
  no,
  attempt,
  market,
  network,
  address,
  memo,
  amount,
});
