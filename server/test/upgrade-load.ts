import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { PLATFORM_BASE, signedText } from '@hengtai/contract/gateway/gateway';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { Page } from '@hengtai/contract/wire/list';

const USERS = 10;
const READS = ['withdraw/list', 'user/list', 'fund/record', 'recharge/list', 'audit/list', 'home/chart', 'me'];
const READERS = 2;

export interface LoadOptions {
  /** Addresses of the servers that get the requests in turn. */
  targets: readonly string[];
  platform: { key: string; secret: string };
  /** Session of an operator who passes withdrawals alone. */
  token: string;
}

/**
 * What a platform and operators do all the time: events of withdrawals and recharges, decisions about them, and reads. It
 * never repeats a request, so every answer other than success is one that somebody would have noticed.
 */
export class UpgradeLoad {
  /** Requests that were not answered with success. */
  readonly failures: string[] = [];
  /** Numbers of the withdrawals whose events were acknowledged. */
  readonly requested: string[] = [];
  /** Numbers of the recharges whose events were acknowledged. */
  readonly credited: string[] = [];
  /** Numbers of the withdrawals whose approval was acknowledged. */
  readonly passed: string[] = [];
  readonly #options: LoadOptions;
  readonly #name = `load${Math.random().toString(36).slice(2, 8)}`;
  readonly #rounds: number[] = [];
  #targets: readonly string[];
  #requests = 0;
  /** Number of withdrawals of `requested` that were sent to be passed. */
  #decided = 0;
  #isStopping = false;
  #loops: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#targets = options.targets;
  }

  /** Number of requests so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Registers users with money, and starts. */
  async start(): Promise<void> {
    const users = Array.from({ length: USERS }, (_, n) => n);
    await this.#send(users.map((n) => ({ type: 'user.registered', data: { account: `${this.#name}u${n}` } })));
    const recharges = users.map((n) => this.#recharge(n, '1000000'));
    await this.#send(recharges);
    this.credited.push(...recharges.map(({ data }) => data.no));
    this.#loops = [
      this.#repeat((round) => this.#actAsPlatform(round)),
      this.#repeat(() => this.#decide()),
      ...Array.from({ length: READERS }, () => this.#repeat((round) => this.#read(READS[round % READS.length] ?? ''))),
    ];
  }

  /** Waits until each kind of request was made so many times more. */
  async waitForRounds(count: number): Promise<void> {
    const goals = this.#rounds.map((round) => round + count);
    while (this.#rounds.some((round, n) => round < (goals[n] ?? 0))) {
      await sleep(10);
    }
  }

  /** Sends the requests to other servers, and waits until the former ones have answered theirs. */
  async retarget(targets: readonly string[]): Promise<void> {
    this.#targets = targets;
    await this.waitForRounds(2);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loops);
  }

  async #repeat(work: (round: number) => Promise<void>): Promise<void> {
    const n = this.#rounds.push(0) - 1;
    while (!this.#isStopping) {
      const round = this.#rounds[n] ?? 0;
      await work(round).catch(async (error: unknown) => {
        this.failures.push(`${new Date().toISOString()} ${String(error)}`);
        await sleep(50);
      });
      this.#rounds[n] = round + 1;
    }
  }

  async #actAsPlatform(round: number): Promise<void> {
    const no = `${this.#name}W${round}`;
    const account = `${this.#name}u${round % USERS}`;
    const recharge = this.#recharge(round, '50');
    const withdraw = { no, account, market: 'USDT', network: 'TRC20', address: `T-${no}`, amount: '10', fee: '1' };
    await this.#send([{ type: 'withdraw.requested', data: withdraw }, recharge]);
    this.requested.push(no);
    this.credited.push(recharge.data.no);
  }

  #recharge(n: number, amount: string) {
    const no = `${this.#name}R${amount}-${n}`;
    const account = `${this.#name}u${n % USERS}`;
    const chain = { market: 'USDT', network: 'TRC20', address: 'T-deposit', confirmations: 20, source: 1 };
    return { type: 'recharge.credited', data: { no, account, amount, ...chain, txHash: `hash-${no}` } };
  }

  /** Passes a withdrawal that was acknowledged, which must therefore be in the list. */
  async #decide(): Promise<void> {
    const no = this.requested[this.#decided];
    if (no === undefined) return sleep(20);
    this.#decided += 1;
    const { data } = await this.#call<Page<{ id: number }>>('GET', `withdraw/list?no=${no}`);
    const id = data.list[0]?.id;
    if (id === undefined) throw new Error(`The withdrawal ${no} is lost`);
    await this.#call('POST', 'withdraw/pass', { id });
    this.passed.push(no);
  }

  async #read(path: string): Promise<void> {
    await this.#call('GET', path);
  }

  #call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<Envelope<T>> {
    const headers = { token: this.#options.token, ...(body && { 'content-type': 'application/json' }) };
    return this.#request<T>(`${API_BASE}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  async #send(events: readonly { type: string; data: object }[]): Promise<void> {
    const at = Date.now();
    const path = `${PLATFORM_BASE}events`;
    const body = JSON.stringify(events.map((event) => ({ eventId: randomUUID(), at, ...event })));
    const { key, secret } = this.#options.platform;
    const signature = createHmac('sha256', secret)
      .update(signedText(String(at), 'POST', path, body))
      .digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-key': key,
      'x-time': String(at),
      'x-signature': signature,
    };
    const { data } = await this.#request<EventAnswer[]>(path, { method: 'POST', headers, body });
    const refused = data.filter(({ result }) => result !== 'applied');
    if (refused.length > 0) throw new Error(`Events were not applied: ${JSON.stringify(refused)}`);
  }

  /** @throws Error for any answer but success, and for none */
  async #request<T>(path: string, init: RequestInit): Promise<Envelope<T>> {
    this.#requests += 1;
    const target = this.#targets[this.#requests % this.#targets.length] ?? '';
    const response = await fetch(`${target}${path}`, init);
    const text = await response.text();
    const envelope = JSON.parse(text) as Envelope<T>;
    if (response.status !== 200 || envelope.code !== 200)
      throw new Error(`${init.method} ${path} of ${target}: ${response.status} ${text.slice(0, 200)}`);
    return envelope;
  }
}
