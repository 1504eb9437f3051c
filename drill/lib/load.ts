import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { PLATFORM_BASE, signedText } from '@hengtai/contract/gateway/gateway';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { ADMIN, PLATFORM } from './server.ts';

export const USERS = 8;
const WORKERS = 3;
/** Pause of a worker after each piece of work, and before it repeats a call without an answer. */
const PAUSE_MS = 50;
const TIMEOUT_MS = 5_000;
const START_AMOUNT = 1_000_000;

export const userAt = (n: number): string => `drill-user-${n % USERS}`;

/** What the servers acknowledged; the books must agree with it at the end. */
export class Acknowledged {
  readonly recharges = new Set<string>();
  readonly passed = new Set<string>();
  /** Calls that had no answer, or a server error, and were repeated. */
  repeated = 0;
  /** Answers 500. A database that is away must be answered by 503. */
  failures = 0;
  readonly balances = new Map<string, { active: number; frozen: number }>();

  /** What has been acknowledged until now. */
  copy(): Acknowledged {
    const copy = new Acknowledged();
    for (const no of this.recharges) copy.recharges.add(no);
    for (const no of this.passed) copy.passed.add(no);
    for (const [account, { active, frozen }] of this.balances) copy.add(account, active, frozen);
    return copy;
  }

  add(account: string, active: number, frozen = 0): void {
    const current = this.balances.get(account) ?? { active: 0, frozen: 0 };
    this.balances.set(account, { active: current.active + active, frozen: current.frozen + frozen });
  }
}

interface PlatformKey {
  key: string;
  secret: string;
}

/** Platform, operator and readers of one server. */
export class Load {
  readonly #port: number;
  readonly #name: string;
  readonly #acknowledged: Acknowledged;
  readonly #platform: PlatformKey;
  readonly #stopping = new AbortController();
  #workers: Promise<unknown> = Promise.resolve();
  #count = 0;
  /** Starts of the calls that were acknowledged as writes, with the times of their answers. */
  #writes: { startedAt: number; answeredAt: number }[] = [];
  token = '';

  constructor(name: string, port: number, acknowledged: Acknowledged, platform: PlatformKey = PLATFORM) {
    this.#name = name;
    this.#port = port;
    this.#acknowledged = acknowledged;
    this.#platform = platform;
  }

  async logIn(): Promise<string> {
    const { token } = await this.#call('POST', `${API_BASE}login`, ADMIN, () => ({}));
    if (token === undefined) throw new Error('The login was refused.');
    return token;
  }

  /** Registers the users with a balance each. */
  async prepare(): Promise<void> {
    for (let n = 0; n < USERS; n += 1) {
      await this.#event(`user-${n}`, 'user.registered', { account: userAt(n) });
      await this.recharge(`start-${n}`, userAt(n), START_AMOUNT);
    }
  }

  async recharge(no: string, account = userAt(0), amount = 1): Promise<void> {
    const place = { market: 'USDT', network: 'TRC20', address: 'T', confirmations: 20, source: 1 };
    await this.#event(no, 'recharge.credited', { no, account, amount: `${amount}`, ...place });
    this.#acknowledged.recharges.add(no);
    this.#acknowledged.add(account, amount);
  }

  /** A withdrawal that the operator of `token` passes. */
  async withdraw(no: string, account: string, amount: number): Promise<void> {
    const place = { market: 'USDT', network: 'TRC20', address: `T-${no}`, fee: '1' };
    await this.#event(no, 'withdraw.requested', { no, account, amount: `${amount}`, ...place });
    const operator = (): Record<string, string> => ({ token: this.token });
    const list = `${API_BASE}withdraw/list?no=${no}`;
    const { data } = (await this.#call('GET', list, undefined, operator)) as Envelope<Page<WithdrawRow>>;
    const id = data.list[0]?.id;
    if (id === undefined) throw new Error(`The acknowledged withdrawal ${no} is not in the list.`);
    const answer = await this.#call('POST', `${API_BASE}withdraw/pass`, { id }, () => ({
      ...operator(),
      'idempotency-key': `key-${no}`,
    }));
    if (answer.code !== 200) throw new Error(`withdraw/pass of ${no}: ${answer.code} ${answer.msg}`);
    this.#acknowledged.passed.add(no);
    this.#acknowledged.add(account, -amount, amount);
  }

  start(): void {
    const work = async (worker: number): Promise<void> => {
      while (!this.#stopping.signal.aborted) {
        const n = (this.#count += 1);
        const no = `${this.#name}-${n}`;
        await (worker % 2 === 0
          ? this.recharge(no, userAt(n), (n % 9) + 1)
          : this.withdraw(no, userAt(n), (n % 7) + 10));
        await sleep(PAUSE_MS);
      }
    };
    this.#workers = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
    // `stop` throws what went wrong; an unhandled rejection would leave the programs of the drill running.
    this.#workers.catch(() => undefined);
  }

  /** Lets every worker finish what it has begun. @throws Error if one was refused or found something missing */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#workers;
  }

  /** Milliseconds until a write was acknowledged that was sent after `since`; undefined if none was yet. */
  recoveredAfter(since: number): number | undefined {
    const first = this.#writes.find(({ startedAt }) => startedAt >= since);
    return first && first.answeredAt - since;
  }

  forgetWrites(): void {
    this.#writes = [];
  }

  /** Whether the server accepts a session. */
  async accepts(token: string): Promise<boolean> {
    const { code } = await this.#call('GET', `${API_BASE}withdraw/list`, undefined, () => ({ token }));
    return code === 200;
  }

  async #event(eventId: string, type: string, data: object): Promise<void> {
    const path = `${PLATFORM_BASE}events`;
    const input = [{ eventId, type, at: Date.now(), data }];
    const response = await this.#call('POST', path, input, (body) => this.#sign('POST', path, body));
    const [answer] = (response as Envelope<EventAnswer[]>).data;
    if (answer?.result !== 'applied' && answer?.result !== 'duplicate')
      throw new Error(`Event ${eventId}: ${JSON.stringify(response)}`);
  }

  /** Repeats a call with the same event or key until the server answers it. */
  async #call(
    method: 'GET' | 'POST',
    path: string,
    input: object | undefined,
    headers: (body: string) => Record<string, string>,
  ): Promise<Envelope> {
    const body = input === undefined ? '' : JSON.stringify(input);
    for (;;) {
      const startedAt = Date.now();
      const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
        method,
        headers: { ...(input && { 'content-type': 'application/json' }), ...headers(body) },
        ...(input && { body }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
        .then(async (answer) => {
          if (answer.status === 500) this.#acknowledged.failures += 1;
          return answer.status < 500 ? ((await answer.json()) as Envelope) : undefined;
        })
        .catch(() => undefined);
      if (response) {
        if (method === 'POST') this.#writes.push({ startedAt, answeredAt: Date.now() });
        return response;
      }
      this.#acknowledged.repeated += 1;
      await sleep(PAUSE_MS);
    }
  }

  #sign(method: string, path: string, body: string): Record<string, string> {
    const { key, secret } = this.#platform;
    const time = String(Date.now());
    const signature = createHmac('sha256', secret)
      .update(signedText(time, method, path, body))
      .digest('hex');
    return { 'x-key': key, 'x-time': time, 'x-signature': signature };
  }
}
