import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from './address.ts';
import type { BackOffice } from './back-office.ts';
import type { Control } from './control.ts';

/** What the platform must mend. */
export class Mend extends Error {
  override readonly name = 'Mend';
}

export interface Timing {
  /** Milliseconds that the platform has for an expected call. */
  patienceMs: number;
  /** Milliseconds that a scenario waits for something that must not happen. */
  quietMs: number;
  /** Milliseconds of an outage. */
  outageMs: number;
}

/** A failure of network, back office or platform, and what must hold nevertheless. */
export interface Scenario {
  name: string;
  summary: string;
  /** Why the scenario cannot be played with this platform; undefined if it can. */
  skip?: (stage: Stage) => string | undefined;
  /** @throws Mend */
  run: (stage: Stage) => Promise<void>;
}

/** What the run knows about the platform, its times, and a part of all names. */
interface Setting {
  timing: Timing;
  tag: string;
  webhook?: string | undefined;
  screens?: boolean | undefined;
}

/** What a scenario acts on. */
export class Stage {
  readonly office: BackOffice;
  readonly platform: Control;
  readonly timing: Timing;
  /** Address of the platform's webhook, if it has one. */
  readonly webhook: string | undefined;
  /** Whether the platform has screening providers. */
  readonly screens: boolean;
  readonly #tag: string;
  #number = 0;

  /** @param tag part of all accounts, so that runs against the same platform do not meet */
  constructor(office: BackOffice, platform: Control, { timing, tag, webhook, screens = false }: Setting) {
    this.webhook = webhook;
    this.screens = screens;
    this.office = office;
    this.platform = platform;
    this.timing = timing;
    this.#tag = tag;
  }

  newAccount(): string {
    return `conf-${this.#tag}-${(this.#number += 1)}`;
  }

  /** @throws Mend if the condition does not hold in time */
  async expect(condition: () => boolean, mend: string): Promise<void> {
    if (!(await this.office.until(condition, this.timing.patienceMs))) throw new Mend(mend);
  }

  /** @throws Mend if the condition is false */
  require(condition: boolean, mend: string): void {
    if (!condition) throw new Mend(mend);
  }

  /** Gives the platform time to do what it must not do. */
  async beQuiet(): Promise<void> {
    await sleep(this.timing.quietMs);
  }

  /** A customer whose registration and funds have arrived. */
  async makeCustomer(): Promise<string> {
    const account = this.newAccount();
    await this.platform.register(account);
    await this.platform.deposit(account, 'USDT', '1000');
    const { events } = this.office;
    const hasArrived = (): boolean =>
      events.find('user.registered', { account }).length > 0 &&
      events.find('recharge.credited', { account }).length > 0;
    await this.expect(hasArrived, 'Report user.registered for a new customer and recharge.credited for a deposit.');
    return account;
  }

  /** Requests a withdrawal and sends its payout. */
  async pay(account: string): Promise<{ no: string; id: number }> {
    const payout = await this.preparePayout(account);
    const id = this.office.commands.send('withdraw.payout', payout);
    this.office.notify();
    return { no: payout.no, id };
  }

  /** Requests a withdrawal. @returns the data of its payout */
  async preparePayout(account: string) {
    const address = addressOf(account);
    const no = await this.platform.withdraw(account, address, '100');
    const requested = (): boolean => this.office.events.find('withdraw.requested', { no }).length > 0;
    await this.expect(requested, 'Report withdraw.requested, with the number that the control port returned.');
    return { no, attempt: 1, account, market: 'USDT', network: 'TRC20', address, memo: '', amount: '99' };
  }

  /** @throws Mend unless the payout was paid once, reported once and acknowledged */
  async expectPaidOnce({ no, id }: { no: string; id: number }): Promise<void> {
    const { events, commands } = this.office;
    await this.expect(
      () => commands.acksOf(id).length > 0,
      `Acknowledge the payout of ${no}: it was delivered and never answered.`,
    );
    await this.expect(() => events.find('withdraw.paid', { no }).length > 0, `Report withdraw.paid for ${no}.`);
    await this.beQuiet();
    const payments = await this.platform.payments(no);
    this.require(
      payments.length === 1,
      `Pay once for each number and attempt: the wallet paid ${payments.length} times for ${no}, attempt 1.`,
    );
    const reports = events.find('withdraw.paid', { no }).length;
    this.require(reports === 1, `Keep the eventId of withdraw.paid: the payment of ${no} came under ${reports} ids.`);
  }
}
