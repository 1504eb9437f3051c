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
import { type Flaw, NAIVE } from './flaws.ts';
import { acknowledgeOnce, sendNaively } from './naive-sender.ts';
import { SampleWallet, WalletDisk } from './wallet.ts';

interface Order {
  account: string;
  price: string;
  amount: string;
  state: 'open' | 'filled' | 'cancelled';
}

/** What a customer may use of a coin. */
interface Balance {
  active: number;
  /** Number of the last entry of the back office. */
  entry: number;
}

interface Deposit {
  no: string;
  /** Number of its move. */
  move: string;
  account: string;
  market: string;
  amount: number;
}

/** What the control port is asked to do. */
type Action = Record<string, string | number | boolean | undefined>;

/** Path of the webhook, beside the control port. */
export const WEBHOOK = '/webhook';

/** Milliseconds after which a flawed platform sends a rejected event again. */
const REPEAT_MS = 200;

const LEASE_SECONDS = 60;
const DONE: CommandResult = { state: 'done' };

/** What survives a crash. */
class Disk {
  events: PlatformEvent[] = [];
  wallet = new WalletDisk();
  executed = new Map<number, CommandResult>();
  screened = new Set<string>();
  moved = new Set<string>();
  /** Commands whose receipt was begun, with their first lease. */
  received = new Map<number, string>();
  /** The highest number of a webhook. */
  lastSeq = 0;
  orders = new Map<string, Order>();
  /** What is open of each position. */
  positions = new Map<string, number>();
  /** By account and coin. */
  balances = new Map<string, Balance>();
  deposits: Deposit[] = [];
  numbers = 0;
  wallets = new Set<string>();
}

interface Hooks {
  /** Whether each ack is sent twice. */
  repeats: boolean;
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
    if (this.#hooks.repeats) await super.acknowledge(leased);
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
  #wallet: SampleWallet;
  readonly #repeated = new Set<number>();
  /** Whether a call with events had no answer. */
  #isUnanswered = false;
  #stop = new AbortController();
  #wake: () => void = () => undefined;
  #client: PlatformClient | undefined;

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.#wallet = this.#openWallet();
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts);
        if (request.url === WEBHOOK) {
          response
            .writeHead(this.#receiveWebhook({ method: 'POST', path: WEBHOOK, headers: request.headers, body }))
            .end();
        } else response.end(JSON.stringify(this.#act(JSON.parse(body.toString()) as Action)));
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
    this.#restate();
    this.#wallet = this.#openWallet();
    this.#wallet.resume();
    const onRetry = ({ path }: { path: string }): void => {
      if (path.startsWith('events')) this.#isUnanswered = true;
    };
    const client = new SampleClient({ ...this.#options, signal: stop.signal, onRetry }, this.#hooks());
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

  #openWallet(): SampleWallet {
    return new SampleWallet(this.#disk.wallet, {
      has: (flaw) => this.#has(flaw),
      emit: (type, data) => this.#emit(type, data),
      onMove: (market, move) => void this.#move(market, move),
    });
  }

  /** A flawed platform changes the reports of payments that have no answer. */
  #restate(): void {
    const hasNewHash =
      this.#has('reports again with another hash') || this.#has('changes the hash of a repeated event');
    const hasNewId = this.#has('reports again with another hash') || this.#has('reports again under another id');
    const { events } = this.#disk;
    for (const [index, event] of events.entries()) {
      if (event.type !== 'withdraw.paid' || !this.#isUnanswered) continue;
      const eventId = hasNewId ? randomUUID() : event.eventId;
      events[index] = {
        ...event,
        eventId,
        data: { ...event.data, ...(hasNewHash && { txHash: `0x${randomUUID()}` }) },
      };
    }
    this.#isUnanswered = false;
  }

  #hooks(): Hooks {
    return {
      repeats: this.#has('acknowledges twice'),
      leavesOut: ({ id }) =>
        this.#isRepeated(id) || (this.#has('never acknowledges payouts') && this.#wallet.isPayout(id)),
      afterAck: ({ id }) => this.#wallet.onAcknowledged(id),
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
    this.#isUnanswered = false;
    const done = new Set(answers.map(({ eventId }) => eventId));
    this.#disk.events = this.#disk.events.filter(({ eventId }) => !done.has(eventId));
  }

  #emit<T extends EventType>(type: T, data: EventData[T]): void {
    const at = this.#has('sends times in seconds') ? Math.floor(Date.now() / 1_000) : Date.now();
    const sent: object = this.#has('sends amounts as numbers') ? withNumbers(data) : data;
    this.#disk.events.push({ eventId: randomUUID(), type, at, data: sent } as PlatformEvent);
    this.#wake();
  }

  #handle(command: ReceivedCommand): CommandResult {
    const known = this.#disk.executed.get(command.id);
    if (known) this.#repeated.add(command.id);
    if (command.type === 'screen.requested' && this.#has('screens on every delivery'))
      return this.#screen(command.data);
    if (known && !this.#executesAgain(command)) return known;
    const result = this.#execute(command);
    this.#disk.executed.set(command.id, result);
    return result;
  }

  #executesAgain({ type }: ReceivedCommand): boolean {
    if (type === 'position.close') return this.#has('closes on every delivery');
    if (type === 'wallet.move.requested') return this.#has('moves coins on every delivery');
    const pays = this.#has('pays on every delivery') || this.#has('forgets its payments in a crash');
    return type === 'withdraw.payout' && pays;
  }

  #isRepeated(id: number): boolean {
    return this.#has('acknowledges a command only once') && this.#repeated.has(id);
  }

  #execute(command: ReceivedCommand): CommandResult {
    if (command.type === 'withdraw.payout') this.#wallet.take(command.id, command.data);
    if (command.type === 'screen.requested') return this.#screen(command.data);
    if (command.type === 'wallet.move.requested') return this.#moveCoins(command.data);
    if (command.type === 'order.cancel') return this.#cancel(command.data.no);
    if (command.type === 'position.close') return this.#close(command.data);
    if (command.type === 'balance.changed') this.#takeBalance(command.data);
    if (command.type === 'recharge.reviewed') this.#takeReview(command.data);
    const isKnown = !command.type.startsWith('conformance.');
    if (isKnown || this.#has('acknowledges unknown commands as done')) return DONE;
    return { state: 'failed', reason: `${command.type} is unknown` };
  }

  /** Its provider finds nothing. */
  #screen({ no }: CommandData['screen.requested']): CommandResult {
    if (!this.#disk.screened.has(no) || this.#has('screens on every delivery'))
      this.#emit('screen.answered', { no, provider: 'sample', result: 'clear' });
    this.#disk.screened.add(no);
    return DONE;
  }

  #moveCoins({ no, from, to, amount }: CommandData['wallet.move.requested']): CommandResult {
    if (this.#disk.moved.has(no) && !this.#has('moves coins on every delivery')) return DONE;
    this.#disk.moved.add(no);
    const move = { kind: 'move', txHash: `0x${randomUUID()}`, record: no } as const;
    this.#emit('chain.moved', { ...move, no: this.#nextNo('M'), wallet: from, amount: `-${amount}` });
    if (this.#has('reports one move of a transfer')) return DONE;
    const arrived = this.#has('moves less than was ordered') ? '10' : amount;
    this.#emit('chain.moved', { ...move, no: this.#nextNo('M'), wallet: to, amount: arrived });
    return DONE;
  }

  #balance(account: string, market: string): Balance {
    const key = `${account} ${market}`;
    const balance = this.#disk.balances.get(key) ?? { active: 0, entry: 0 };
    this.#disk.balances.set(key, balance);
    return balance;
  }

  #takeBalance({ account, market, active, entry }: CommandData['balance.changed']): void {
    const balance = this.#balance(account, market);
    if (entry < balance.entry && !this.#has('takes older balances')) return;
    balance.active = Number(active) + (this.#has('adds a changed balance to its own') ? balance.active : 0);
    balance.entry = entry;
  }

  #takeReview({ no, state }: CommandData['recharge.reviewed']): void {
    const deposit = this.#disk.deposits.find((one) => one.no === no);
    if (!deposit) return;
    const balance = this.#balance(deposit.account, deposit.market);
    if (state === 3 && !this.#has('leaves withheld deposits to the customer')) balance.active -= deposit.amount;
    // The credit itself comes by balance.changed.
    if (state === 1 && this.#has('credits a released deposit twice')) balance.active += deposit.amount;
  }

  #deposit(account: string, market: string, amount: string): void {
    const no = this.#nextNo('R');
    const chain = { network: 'TRC20', address: 'T-deposit', confirmations: 20, source: 1 } as const;
    const move = this.#move(market, { kind: 'deposit', record: no, amount, txHash: `0x${randomUUID()}` });
    this.#disk.deposits.push({ no, move, account, market, amount: Number(amount) });
    this.#balance(account, market).active += Number(amount);
    this.#emit('recharge.credited', { no, account, market, amount, ...chain });
  }

  /** Reports a move, and its wallet before the first one. @returns the number of the move */
  #move(market: string, { record = '', ...move }: Omit<EventData['chain.moved'], 'no' | 'wallet'>): string {
    const [no, wallet] = [this.#nextNo('M'), `hot-${market}`];
    const place = { wallet, kind: 'hot', market, network: 'TRC20', state: 1 } as const;
    if (!this.#disk.wallets.has(wallet) && !this.#has('reports moves of an unknown wallet'))
      this.#emit('wallet.saved', place);
    this.#disk.wallets.add(wallet);
    this.#emit('chain.moved', { no, wallet, ...(!this.#has('names no record of a move') && { record }), ...move });
    return no;
  }

  #reverse(account: string): void {
    const deposit = this.#disk.deposits.findLast((one) => one.account === account);
    if (!deposit || this.#has('keeps silent about a reversal')) return;
    const { no, move, market, amount } = deposit;
    this.#balance(account, market).active -= amount;
    if (!this.#has('keeps silent about a dropped move')) this.#emit('chain.reverted', { no: move });
    const times = this.#has('reports a reversal twice') ? 2 : 1;
    for (let count = 0; count < times; count += 1)
      this.#emit(this.#has('reports a reversal as a failure') ? 'recharge.failed' : 'recharge.reversed', { no });
  }

  #close({ no, amount }: CommandData['position.close']): CommandResult {
    const open = this.#disk.positions.get(no) ?? 0;
    if (open === 0 && !this.#has('closes what is not open')) return { state: 'failed', reason: 'nothing is open' };
    const closed = this.#has('closes the whole position') ? open : Math.min(open, Number(amount));
    this.#disk.positions.set(no, open - closed);
    const closeType = this.#has('reports a close as one of the customer') ? 1 : 5;
    const closeNo = this.#nextNo('C');
    if (closed > 0)
      this.#emit('position.closed', { no, closeNo, amount: String(closed), price: '50000', fee: '0', closeType });
    return DONE;
  }

  #open(account: string, market: string, amount: string): string {
    const no = this.#nextNo('P');
    this.#disk.positions.set(no, Number(amount));
    const order = { account, market, demo: 0, side: 1, type: 2, leverage: 10, amount, margin: '100' } as const;
    this.#emit('position.placed', { no, ...order });
    this.#emit('position.opened', { no, price: '50000', fee: '0' });
    return no;
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

  #act(action: Action): unknown {
    const textOf = (field: string): string => String(action[field] ?? '');
    const [account, market, amount, no] = [textOf('account'), textOf('market'), textOf('amount'), textOf('no')];
    switch (action['do']) {
      case 'register':
        this.#emit('user.registered', { account });
        if (this.#has('reports a malformed event')) this.#emit('user.login', { account, ip: '' });
        return {};
      case 'deposit':
        this.#deposit(account, market, amount);
        return {};
      case 'reverse':
        this.#reverse(account);
        return {};
      case 'balance':
        return { active: String(this.#balance(account, market).active) };
      case 'withdraw':
        return this.#withdraw({ account, market, amount, ...destinationOf(textOf) });
      case 'order': {
        const [number, price] = [this.#nextNo('O'), textOf('price')];
        this.#disk.orders.set(number, { account, price, amount, state: 'open' });
        this.#emit('order.placed', { no: number, account, market, side: 1, type: 1, price, amount });
        return { no: number };
      }
      case 'fill':
        return { filled: this.#fill(no) };
      case 'position':
        return { no: this.#open(account, market, amount) };
      case 'payments':
        return this.#wallet.listPayments();
      case 'wallets':
        return { from: 'hot', to: 'cold' };
      case 'hold':
        this.#wallet.hold(action['on'] === true);
        return {};
      case 'settle':
        this.#wallet.settle(no, Number(action['attempt']), action['paid'] === true);
        return {};
      case 'crash':
        this.#stop.abort();
        this.#run();
        return {};
      default:
        throw new Error(`unknown action ${String(action['do'])}`);
    }
  }

  #withdraw(request: Omit<EventData['withdraw.requested'], 'no' | 'fee'> & { memo: string }): { no: string } {
    const { account, market, network, address, memo, amount } = request;
    const no = this.#nextNo('W');
    this.#balance(account, market).active -= Number(amount);
    this.#emit('withdraw.requested', { no, ...request, fee: '1' });
    this.#wallet.onRequest({ no, attempt: 1, market, network, address, memo, amount });
    return { no };
  }

  #fill(no: string): boolean {
    const order = this.#disk.orders.get(no);
    if (order?.state !== 'open') return false;
    order.state = 'filled';
    this.#emit('order.filled', { no, tradeNo: this.#nextNo('F'), price: order.price, amount: order.amount, fee: '0' });
    return true;
  }
}

const destinationOf = (textOf: (field: string) => string) => ({
  network: textOf('network'),
  address: textOf('address'),
  memo: textOf('memo'),
});

/** Amounts as a platform sends them that calculates with floats. */
const withNumbers = (data: object): object =>
  Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      field === 'amount' || field === 'fee' ? Number(value) : value,
    ]),
  );
