import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GatewayError, gatewayErrors } from '@hengtai/contract/gateway/errors';
import { checkWebhook, sign } from '../../clients/typescript/src/index.ts';
import { type CommandLog, readAcks, readLeases, readPoll } from './commands.ts';
import { type EventLog, readEvents } from './events.ts';
import { Network } from './network.ts';
import { READS } from './reads.ts';

export interface Credentials {
  key: string;
  secret: string;
}

/** A call of the platform, as it arrived. */
export interface Call {
  /** Path below `/platform/v1/`, without query. */
  path: string;
  /** Why the call was refused; undefined if it was answered. */
  refused: GatewayError | undefined;
}

/** How a webhook differs from an authentic one. */
export interface PushOptions {
  secret?: string;
  /** Age of its signature. */
  ageMs?: number;
}

const BASE = '/platform/v1/';
const WEBHOOK_TIMEOUT_MS = 10_000;

/** A back office that does what the scenarios want. It keeps the protocol, but no books. */
export class BackOffice {
  readonly events: EventLog;
  readonly commands: CommandLog;
  readonly network = new Network();
  readonly calls: Call[] = [];
  /** Milliseconds that its clock is ahead of the real time. */
  clockOffsetMs = 0;
  readonly #credentials: Credentials;
  readonly #server: Server;
  readonly #watchers = new Set<() => void>();

  constructor(credentials: Credentials, events: EventLog, commands: CommandLog) {
    this.#credentials = credentials;
    this.events = events;
    this.commands = commands;
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch(() => request.socket.destroy());
    });
  }

  /** @returns its address */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Waits until a condition holds. It is checked whenever the platform has made a call or a scenario has done something. */
  async until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
    if (condition()) return true;
    return new Promise((resolve) => {
      const end = (result: boolean): void => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        resolve(result);
      };
      const check = (): void => {
        if (condition()) end(true);
      };
      const timer = setTimeout(() => end(condition()), timeoutMs);
      this.#watchers.add(check);
    });
  }

  /** Makes waiting conditions look again. */
  notify(): void {
    for (const check of this.#watchers) check();
  }

  /**
   * Sends commands to the webhook of the platform.
   *
   * @returns the status of its answer; 0 without one
   */
  async push(webhook: string, commands: readonly unknown[], { secret, ageMs = 0 }: PushOptions = {}): Promise<number> {
    const target = new URL(webhook);
    const [body, time] = [JSON.stringify(commands), String(Date.now() - ageMs)];
    const path = `${target.pathname}${target.search}`;
    const signature = sign(secret ?? this.#credentials.secret, time, 'POST', path, body);
    const headers = { 'content-type': 'application/json', 'x-key': this.#credentials.key, 'x-time': time };
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: { ...headers, 'x-signature': signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      });
      const acks = readAcks(await response.text());
      if (response.ok && acks) this.commands.acknowledge(acks);
      return response.status;
    } catch {
      return 0;
    } finally {
      this.notify();
    }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { fault, status, body } = await this.#answer(request);
    if (fault === 'lost answer' || fault === 'lost call') request.socket.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    this.notify();
  }

  async #answer(request: IncomingMessage) {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '/', headers } = request;
    const body = Buffer.concat(parts);
    const target = new URL(url, 'http://localhost');
    const path = target.pathname.startsWith(BASE) ? target.pathname.slice(BASE.length) : '';
    const fault = this.network.take(path);
    if (fault === 'lost call') return { fault, status: 0, body: null };
    if (fault === 'unavailable') return { fault, ...refusal('unavailable') };
    const now = Date.now() + this.clockOffsetMs;
    const problem = checkWebhook({ method, path: url, headers, body }, [this.#credentials], now);
    const refused = problem ?? (path === '' ? 'not_found' : undefined);
    const call: Call = { path, refused };
    this.calls.push(call);
    if (refused) return { fault, ...refusal(refused, refused === 'clock_skew' ? { serverTime: now } : null) };
    const isLost = (): boolean => fault !== undefined || request.socket.destroyed;
    const data = await this.#handle(method, path, target.searchParams, body.toString(), isLost);
    if (data === undefined) call.refused = 'invalid';
    return {
      fault,
      ...(data === undefined ? refusal('invalid') : { status: 200, body: { code: 200, msg: 'ok', data } }),
    };
  }

  /**
   * @param isLost whether the answer will not arrive, for example because the program that waited for commands has ended
   * @returns the data of the answer, or undefined if the call has the wrong form
   */
  async #handle(method: string, path: string, query: URLSearchParams, body: string, isLost: () => boolean) {
    if (method === 'POST' && path === 'events') {
      const events = readEvents(body);
      return events && this.events.apply(events);
    }
    if (method === 'POST' && path === 'commands/ack') {
      const acks = readAcks(body);
      return acks && this.commands.acknowledge(acks);
    }
    if (method === 'POST' && (path === 'commands/receipt' || path === 'commands/renew')) {
      const leases = readLeases(body);
      return leases && (path === 'commands/receipt' ? this.commands.receive(leases) : this.commands.renew(leases));
    }
    if (method === 'GET' && path === 'commands') {
      const poll = readPoll(query);
      if (!poll) return undefined;
      await this.until(() => this.commands.open(poll).length > 0, poll.wait * 1_000);
      return this.commands.deliver(poll, !isLost());
    }
    return method === 'GET' ? READS[path] : undefined;
  }
}

function refusal(error: GatewayError, data: unknown = null) {
  const { status, message } = gatewayErrors[error];
  return { status, body: { code: status, msg: message, data, error } };
}
