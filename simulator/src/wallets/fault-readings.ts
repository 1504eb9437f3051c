import type { EventData, PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { type Amount, D } from '../amount.ts';

/** What faults change of the money in wallets, and so of all later readings. */
export class Readings {
  readonly #last = new Map<string, string>();
  readonly #shifts: { wallet: string; amount: Amount; block: number }[] = [];
  /** What wallets lost that were to be swept: the next sweep takes so much less. */
  readonly #lost = new Map<string, Amount>();
  readonly #lessSwept = new Map<string, Amount>();

  /** The latest reading of a wallet. */
  last(wallet: string): string | undefined {
    return this.#last.get(wallet);
  }

  remember({ wallet, amount }: EventData['wallet.balance']): void {
    this.#last.set(wallet, amount);
  }

  /** Changes what a wallet holds since a block. */
  shift(wallet: string, amount: Amount, block: number): void {
    this.#shifts.push({ wallet, amount, block });
  }

  /** Takes from a wallet, at last from where it is swept. */
  lose(wallet: string, amount: Amount): void {
    this.shift(wallet, amount.neg(), 0);
    this.#lost.set(wallet, amount.plus(this.#lost.get(wallet) ?? 0));
  }

  /** The event after what was changed before it. */
  change(event: PlatformEvent): PlatformEvent {
    if (event.type === 'wallet.balance') {
      const { wallet, block = Infinity } = event.data;
      const shifts = this.#shifts.filter((one) => one.wallet === wallet && one.block <= block);
      const amount = D.max(0, D.sum(event.data.amount, 0, ...shifts.map((one) => one.amount))).toFixed();
      return { ...event, data: { ...event.data, amount } };
    }
    return event.type === 'chain.moved' && event.data.kind === 'move' ? this.#changeSweep(event) : event;
  }

  #changeSweep(event: Extract<PlatformEvent, { type: 'chain.moved' }>): PlatformEvent {
    const { wallet, amount, txHash, block = 0 } = event.data;
    const lost = this.#lost.get(wallet);
    if (lost?.lt(new D(amount).neg())) {
      this.#lost.delete(wallet);
      this.#lessSwept.set(txHash, lost);
    }
    const less = this.#lessSwept.get(txHash);
    if (!less) return event;
    const change = new D(amount).isNegative() ? less : less.neg();
    this.shift(wallet, change, block);
    return { ...event, data: { ...event.data, amount: new D(amount).plus(change).toFixed() } };
  }
}
