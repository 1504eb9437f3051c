import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@hengtai/contract/values/decimal';
import { tronAddress } from './address.ts';
import type { BackOffice } from './back-office.ts';
import type { Control, Withdrawal } from './control.ts';
import { findDifference, type PayoutData } from './payment.ts';

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

/** What not every platform has. Without it the scenarios of it are skipped. */
export const FEATURES = ['screening', 'futures', 'memos', 'wallets'] as const;
export type Feature = (typeof FEATURES)[number];

/** A failure of network, back office or platform, and what must hold nevertheless. */
export interface Scenario {
  name: string;
  summary: string;
  /** Names of earlier scenarios: if one of them failed, this one would fail for the same reason and is skipped. */
  needs?: readonly string[];
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
  features?: readonly Feature[] | undefined;
}

/** A payout that was sent. */
export interface Payout {
  id: number;
  data: PayoutData;
}

/** As many decimals as USDT has on TRON, so that a rounded payment shows. */
const AMOUNT = '100.123456';

/** What a scenario acts on. */
export class Stage {
  readonly office: BackOffice;
  readonly platform: Control;
  readonly timing: Timing;
  /** Address of the platform's webhook, if it has one. */
  readonly webhook: string | undefined;
  readonly #features: ReadonlySet<Feature>;
  readonly #tag: string;
  #number = 0;
  /** Number of faults of form before the scenario. */
  #knownFaults = 0;

  /** @param tag part of all accounts, so that runs against the same platform do not meet */
  constructor(office: BackOffice, platform: Control, { timing, tag, webhook, features = [] }: Setting) {
    this.webhook = webhook;
    this.#features = new Set(features);
    this.office = office;
    this.platform = platform;
    this.timing = timing;
    this.#tag = tag;
  }

  begin(): void {
    this.#knownFaults = this.#faults().length;
  }

  /** The first fault of form since the scenario began. Whatever the scenario misses may be missing because of it. */
  findFormFault(): string | undefined {
    return this.#faults()[this.#knownFaults];
  }

  #faults(): string[] {
    const invalid = this.office.calls.filter(({ refused }) => refused === 'invalid').map(({ path }) => path);
    return [...this.office.events.faults, ...invalid.map((path) => `${path} was invalid`)];
  }

  /** @returns why scenarios of a feature are skipped; undefined if the platform has it */
  skipWithout(feature: Feature): string | undefined {
    return this.#features.has(feature) ? undefined : `The run does not know that the platform has it: --${feature}.`;
  }

  newAccount(): string {
    return `conf-${this.#tag}-${(this.#number += 1)}`;
  }

  /** @throws Mend if the condition does not hold in time, or a call or event has the wrong form meanwhile */
  async expect(condition: () => boolean, mend: string): Promise<void> {
    const isOver = (): boolean => condition() || this.findFormFault() !== undefined;
    await this.office.until(isOver, this.timing.patienceMs);
    this.require(condition(), mend);
  }

  /** @throws Mend if the condition is false */
  require(condition: boolean, mend: string): void {
    if (!condition) throw new Mend(mend);
  }

  /** Gives the platform time to do what it must not do. */
  async beQuiet(): Promise<void> {
    await sleep(this.timing.quietMs);
  }

  /** A customer whose registration has arrived, and the credit of its coins. */
  async makeCustomer(market = 'USDT'): Promise<string> {
    const account = this.newAccount();
    await this.platform.register(account);
    await this.platform.deposit(account, market, '1000');
    const hasArrived = (): boolean =>
      this.office.events.find('user.registered', { account }).length > 0 && this.findDeposit(account) !== undefined;
    await this.expect(hasArrived, 'Report user.registered for a new customer and recharge.credited for a deposit.');
    return account;
  }

  /** @returns the number of the first credited deposit of a customer */
  findDeposit(account: string): string | undefined {
    const { events } = this.office;
    const own = [...events.find('recharge.detected', { account }), ...events.find('recharge.credited', { account })];
    return own
      .map(({ event }) => String(event.data['no']))
      .find((no) => events.find('recharge.credited', { no }).length > 0);
  }

  /** Requests a withdrawal and sends its payout. */
  async pay(account: string): Promise<Payout> {
    return this.send(await this.preparePayout(account));
  }

  send(data: PayoutData): Payout {
    const id = this.office.commands.send('withdraw.payout', data);
    this.office.notify();
    return { id, data };
  }

  /** Requests a withdrawal, by default of USDT. @returns the data of its payout */
  async preparePayout(account: string, destination?: Omit<Withdrawal, 'amount'>): Promise<PayoutData> {
    const target = destination ?? { market: 'USDT', network: 'TRC20', address: tronAddress(account), memo: '' };
    const no = await this.platform.withdraw(account, { ...target, amount: AMOUNT });
    const requests = () => this.office.events.find('withdraw.requested', { no });
    await this.expect(
      () => requests().length > 0,
      'Report withdraw.requested, with the number that the control port returned.',
    );
    const amountOf = (field: string): string => String(requests()[0]?.event.data[field]);
    const net = new Decimal(amountOf('amount')).minus(amountOf('fee')).toFixed();
    return { no, attempt: 1, account, ...target, amount: net };
  }

  async expectAcknowledged({ id, data: { no, attempt } }: Payout): Promise<void> {
    await this.expect(
      () => this.office.commands.acksOf(id).length > 0,
      `Acknowledge the payout of ${no}, attempt ${attempt}: it was delivered and never answered.`,
    );
  }

  /** @throws Mend unless the payout was acknowledged, paid as the command says, once, and reported once */
  async expectPaidOnce(payout: Payout): Promise<void> {
    const { no, attempt } = payout.data;
    await this.expectAcknowledged(payout);
    const reports = () => this.office.events.find('withdraw.paid', { no });
    await this.expect(() => reports().length > 0, `Report withdraw.paid for ${no}, attempt ${attempt}.`);
    await this.beQuiet();
    const payments = await this.platform.payments(no);
    const own = payments.filter((payment) => payment.attempt === attempt);
    this.require(
      payments.length === own.length,
      `Pay only attempt ${attempt} of ${no}: the wallet paid attempt ${payments.map((one) => one.attempt).join(', ')}.`,
    );
    this.require(
      own.length === 1,
      `Pay once for each number and attempt: the wallet paid ${own.length} times for ${no}, attempt ${attempt}.`,
    );
    const difference = own[0] && findDifference(own[0], payout.data);
    this.require(
      difference === undefined,
      `Pay what the command says: the wallet paid ${difference} for ${no}, attempt ${attempt}.`,
    );
    const hashes = new Set(reports().map(({ event }) => event.data['txHash']));
    this.require(
      hashes.size === 1,
      `Report the transaction of a payment once: ${no} was paid with the hashes ${[...hashes].join(', ')}.`,
    );
    this.require(
      reports().length === 1,
      `Keep the eventId of withdraw.paid: the payment of ${no} came under ${reports().length} ids.`,
    );
    const named = reports()[0]?.event.data['attempt'];
    this.require(
      named === undefined || named === attempt,
      `Name the attempt of the command in withdraw.paid: attempt ${attempt} of ${no} was reported as ${String(named)}.`,
    );
  }
}
