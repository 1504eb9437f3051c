import { randomUUID } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Ack,
  type AckAnswer,
  type ClientOptions,
  type CommandData,
  type CommandResult,
  type EventAnswer,
  type EventData,
  type EventType,
  type LeaseAnswer,
  PlatformClient,
  type PlatformEvent,
  type ReceivedCommand,
  checkWebhook,
} from '../../clients/typescript/src/index.ts';
import { type NaiveOptions, acknowledgeOnce, sendNaively } from './naive-sender.ts';

/** What a platform does wrong. */
export type Flaw =
  | 'forgets its payments in a crash'
  | 'pays on every delivery'
  | 'acknowledges a command only once'
  | 'cancels filled orders'
  | 'reports payments only after the ack'
  | 'stops at a rejected event'
  | 'sends the newest event first'
  | 'acknowledges unknown commands as done'
  | 'reads without a signature'
  | 'reports a malformed event'
  | 'screens on every delivery'
  | LeaseFlaw
  | WebhookFlaw
  | keyof typeof NAIVE;

type LeaseFlaw =
  | 'ignores lost leases'
  | 'takes a repeated receipt for a lost one'
  | 'takes a received command for an executed one'
  | 'acknowledges with an old lease';

type WebhookFlaw =
  | 'pays for every webhook'
  | 'accepts unsigned webhooks'
  | 'drops older commands'
  | 'acknowledges a webhook only once';

/** Flaws of a platform that sends its events without the client. */
const NAIVE = {
  'repeats events under new ids': { newIds: true },
  'retries without a pause': { noPause: true },
  'ignores the time of the server': { ignoresServerTime: true },
} satisfies Record<string, NaiveOptions>;

interface Order {
  account: string;
  price: string;
  amount: string;
  state: 'open' | 'filled' | 'cancelled';
}

/** Path of the webhook, beside the control port. */
export const WEBHOOK = '/webhook';

/** Milliseconds after which a flawed platform sends a rejected event again. */
const REPEAT_MS = 200;

const LEASE_SECONDS = 60;
const DONE: CommandResult = { state: 'done' };

/** What survives a crash. */
class Disk {
  events: PlatformEvent[] = [];
  payments = new Map<string, { no: string; address: string; amount: string }>();
  executed = new Map<number, CommandResult>();
  screened = new Set<string>();
  /** Commands whose receipt was begun, with their first lease. */
  received = new Map<number, string>();
  /** The highest number of a webhook. */
  lastSeq = 0;
  orders = new Map<string, Order>();
  accounts = new Set<string>();
  numbers = 0;
}

interface Hooks {
  /** Whether an ack is not sent. */
  leavesOut: (ack: Ack) => boolean;
  afterAck: (ack: Ack) => void;
  beforeReceipt: (commands: readonly ReceivedCommand[]) => void;
  readReceipt: (answer: LeaseAnswer) => LeaseAnswer;
  leaseOf: (ack: Ack) => string | undefined;
}

/** The client, with what a flawed platform does about acks. */
class SampleClient extends PlatformClient {
  readonly #hooks: Hooks;

  constructor(options: ClientOptions, hooks: Hooks) {
    super(options);
    this.#hooks = hooks;
  }

  override async acknowledge(acks: readonly Ack[]): Promise<AckAnswer[]> {
    const sent = acks.filter((ack) => !this.#hooks.leavesOut(ack));
    const leased = sent.map((ack) => {
      const lease = this.#hooks.leaseOf(ack);
      return lease === undefined ? ack : { ...ack, lease };
    });
    const answers = sent.length === 0 ? [] : await super.acknowledge(leased);
    for (const ack of sent) this.#hooks.afterAck(ack);
    return answers;
  }

  override async confirmReceipt(commands: readonly ReceivedCommand[]): Promise<LeaseAnswer[]> {
    this.#hooks.beforeReceipt(commands);
    return (await super.confirmReceipt(commands)).map((answer) => this.#hooks.readReceipt(answer));
  }
}

export interface PlatformOptions {
  url: string;
  key: string;
  secret: string;
  flaw?: Flaw;
  /** Whether it leases the commands that it polls. */
  leases?: boolean;
}

/** A small exchange: an outbox, a wallet, an order book of single orders, and the control port of the conformance run. */
export class SamplePlatform {
  readonly #options: PlatformOptions;
  readonly #disk = new Disk();
  readonly #server: Server;
  /** Keys of payments that this process has sent; only a flawed platform keeps them here. */
  #memory = new Set<string>();
  readonly #repeated = new Set<number>();
  readonly #unreported = new Map<number, string>();
  #stop = new AbortController();
  #wake: () => void = () => undefined;
  #client: PlatformClient | undefined;

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts);
        if (request.url === WEBHOOK) {
          response
            .writeHead(this.#receiveWebhook({ method: 'POST', path: WEBHOOK, headers: request.headers, body }))
            .end();
        } else response.end(JSON.stringify(this.#act(JSON.parse(body.toString()) as Record<string, string>)));
      });
    });
  }

  /** @returns the address of the control port */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#run();
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #has(flaw: Flaw): boolean {
    return this.#options.flaw === flaw;
  }

  /** Starts a process of the platform, which has only the disk of the one before. */
  #run(): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#memory = new Set();
    const client = new SampleClient({ ...this.#options, signal: stop.signal }, this.#hooks());
    this.#client = client;
    if (this.#has('takes a received command for an executed one')) {
      for (const id of this.#disk.received.keys()) if (!this.#disk.executed.has(id)) this.#disk.executed.set(id, DONE);
    }
    // A process ends only by a crash or at the end, which abort its loops.
    const untilAborted = (loop: Promise<void>): void =>
      void loop.catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
    untilAborted(this.#sendEvents(client, stop.signal));
    const options = { wait: 1, ...(this.#options.leases ? { lease: LEASE_SECONDS } : {}) };
    untilAborted(client.handleCommands((command) => this.#handle(command), options));
    if (this.#has('reads without a signature')) void fetch(new URL('/platform/v1/markets', this.#options.url));
  }

  #hooks(): Hooks {
    return {
      leavesOut: ({ id }) => this.#isRepeated(id),
      afterAck: ({ id }) => this.#reportLate(id),
      beforeReceipt: (commands) => {
        const { received } = this.#disk;
        for (const { id, lease = '' } of commands) if (!received.has(id)) received.set(id, lease);
      },
      readReceipt: (answer) => {
        if (answer.result === 'lost' && this.#has('ignores lost leases')) return { ...answer, result: 'applied' };
        const isTaken = answer.result === 'duplicate' && this.#has('takes a repeated receipt for a lost one');
        return isTaken ? { ...answer, result: 'lost' } : answer;
      },
      leaseOf: ({ id, lease }) => (this.#has('acknowledges with an old lease') ? this.#disk.received.get(id) : lease),
    };
  }

  /** @returns the status of the answer */
  #receiveWebhook(request: Parameters<typeof checkWebhook>[0] & { body: Buffer }): number {
    const isAuthentic = checkWebhook(request, [this.#options]) === undefined;
    if (!isAuthentic && !this.#has('accepts unsigned webhooks')) return 401;
    const commands = JSON.parse(request.body.toString()) as ReceivedCommand[];
    const wanted = this.#has('drops older commands')
      ? commands.filter(({ seq }) => seq > this.#disk.lastSeq)
      : commands;
    for (const { seq } of wanted) this.#disk.lastSeq = Math.max(this.#disk.lastSeq, seq);
    if (this.#has('pays for every webhook')) for (const { id } of wanted) this.#disk.executed.delete(id);
    const acks = wanted.map((command) => ({ id: command.id, ...this.#handle(command) }));
    if (acks.length > 0) this.#acknowledgeWebhook(acks);
    return 200;
  }

  #acknowledgeWebhook(acks: Ack[]): void {
    const { signal } = this.#stop;
    const sent = this.#has('acknowledges a webhook only once')
      ? acknowledgeOnce(acks, { ...this.#options, signal })
      : this.#client?.acknowledge(acks);
    sent?.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async #sendEvents(client: PlatformClient, signal: AbortSignal): Promise<void> {
    const { flaw } = this.#options;
    while (!signal.aborted) {
      if (this.#disk.events.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      else if (flaw !== undefined && flaw in NAIVE) {
        const options = { ...this.#options, ...NAIVE[flaw as keyof typeof NAIVE], signal };
        await this.#mark(await sendNaively(this.#disk.events, options));
      } else {
        await client.drainOutbox({ next: () => this.#nextEvents(), mark: (answers) => this.#mark(answers) });
      }
    }
  }

  #nextEvents(): PlatformEvent[] {
    if (this.#has('stops at a rejected event')) return this.#disk.events.slice(0, 1);
    return this.#has('sends the newest event first') ? this.#disk.events.toReversed() : this.#disk.events;
  }

  async #mark(answers: readonly EventAnswer[]): Promise<void> {
    const repeats = this.#has('stops at a rejected event') && answers.some(({ result }) => result === 'rejected');
    if (repeats) return sleep(REPEAT_MS);
    const done = new Set(answers.map(({ eventId }) => eventId));
    this.#disk.events = this.#disk.events.filter(({ eventId }) => !done.has(eventId));
  }

  #emit<T extends EventType>(type: T, data: EventData[T]): void {
    this.#disk.events.push({ eventId: randomUUID(), type, at: Date.now(), data } as PlatformEvent);
    this.#wake();
  }

  #handle(command: ReceivedCommand): CommandResult {
    const known = this.#disk.executed.get(command.id);
    if (known) this.#repeated.add(command.id);
    if (command.type === 'screen.requested' && this.#has('screens on every delivery'))
      return this.#screen(command.data);
    if (known && !this.#has('pays on every delivery') && !this.#has('forgets its payments in a crash')) return known;
    const result = this.#execute(command);
    this.#disk.executed.set(command.id, result);
    return result;
  }

  #isRepeated(id: number): boolean {
    return this.#has('acknowledges a command only once') && this.#repeated.has(id);
  }

  #reportLate(id: number): void {
    const no = this.#unreported.get(id);
    this.#unreported.delete(id);
    if (no !== undefined) this.#reportPaid(no);
  }

  #execute(command: ReceivedCommand): CommandResult {
    if (command.type === 'withdraw.payout') return this.#pay(command.id, command.data);
    if (command.type === 'screen.requested') return this.#screen(command.data);
    if (command.type === 'order.cancel') return this.#cancel(command.data.no);
    const isKnown = !command.type.startsWith('conformance.');
    if (isKnown || this.#has('acknowledges unknown commands as done')) return { state: 'done' };
    return { state: 'failed', reason: `${command.type} is unknown` };
  }

  #pay(id: number, { no, attempt, address, amount }: CommandData['withdraw.payout']): CommandResult {
    const key = `${no} ${attempt}`;
    const forgets = this.#has('forgets its payments in a crash');
    const isPaid = forgets ? this.#memory.has(key) : this.#disk.payments.has(key);
    const paysAgain = this.#has('pays on every delivery') || this.#has('pays for every webhook');
    if (isPaid && !paysAgain) return { state: 'done' };
    this.#memory.add(key);
    const isFirst = !this.#disk.payments.has(key);
    this.#disk.payments.set(isFirst ? key : `${key} ${randomUUID()}`, { no, address, amount });
    if (isFirst && this.#has('reports payments only after the ack')) this.#unreported.set(id, no);
    else if (isFirst) this.#reportPaid(no);
    return { state: 'done' };
  }

  /** Its provider finds nothing. */
  #screen({ no }: CommandData['screen.requested']): CommandResult {
    if (!this.#disk.screened.has(no) || this.#has('screens on every delivery'))
      this.#emit('screen.answered', { no, provider: 'sample', result: 'clear' });
    this.#disk.screened.add(no);
    return DONE;
  }

  #reportPaid(no: string): void {
    this.#emit('withdraw.paid', { no, txHash: `0x${no}` });
  }

  #cancel(no: string): CommandResult {
    const order = this.#disk.orders.get(no);
    if (!order || (order.state !== 'open' && !this.#has('cancels filled orders'))) {
      return { state: 'failed', reason: order ? `the order is ${order.state}` : 'unknown order' };
    }
    order.state = 'cancelled';
    this.#emit('order.cancelled', { no });
    return { state: 'done' };
  }

  #nextNo(letter: string): string {
    this.#disk.numbers += 1;
    return `${letter}-${this.#disk.numbers}`;
  }

  #act(action: Record<string, string>): unknown {
    const { account = '', market = '', amount = '', no = '', price = '', address = '', network = '' } = action;
    switch (action['do']) {
      case 'register':
        this.#emit('user.registered', { account });
        if (this.#has('reports a malformed event')) this.#emit('user.login', { account, ip: '' });
        return {};
      case 'deposit': {
        const chain = { network: 'TRC20', address: 'T-deposit', confirmations: 20, source: 1 } as const;
        this.#emit('recharge.credited', { no: this.#nextNo('R'), account, market, amount, ...chain });
        return {};
      }
      case 'withdraw': {
        const number = this.#nextNo('W');
        this.#emit('withdraw.requested', { no: number, account, market, network, address, amount, fee: '1' });
        return { no: number };
      }
      case 'order': {
        const number = this.#nextNo('O');
        this.#disk.orders.set(number, { account, price, amount, state: 'open' });
        this.#emit('order.placed', { no: number, account, market, side: 1, type: 1, price, amount });
        return { no: number };
      }
      case 'fill':
        return { filled: this.#fill(no) };
      case 'payments':
        return [...this.#disk.payments.values()];
      case 'crash':
        this.#stop.abort();
        this.#run();
        return {};
      default:
        throw new Error(`unknown action ${action['do']}`);
    }
  }

  #fill(no: string): boolean {
    const order = this.#disk.orders.get(no);
    if (order?.state !== 'open') return false;
    order.state = 'filled';
    this.#emit('order.filled', { no, tradeNo: this.#nextNo('F'), price: order.price, amount: order.amount, fee: '0' });
    return true;
  }
}
