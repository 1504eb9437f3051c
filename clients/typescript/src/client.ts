import { BYTES_MAX, encodeEvents, chunkEvents, type EncodedEvent } from './chunks.ts';
import { type ClientOptions, RefusedCall, Transport } from './transport.ts';
import type { Ack, AckAnswer, Command, EventAnswer, PlatformEvent, Reads } from './types.ts';

/** Events that wait to be sent, in a store that survives the process. Events enter it with the change that they report. */
export interface Outbox {
  /** The oldest events that are not marked, in their order, at most `limit`. */
  next: (limit: number) => Promise<readonly PlatformEvent[]> | readonly PlatformEvent[];
  /** Stores the answers. An event with an answer must not be returned again, unless it is rejected and will be retried. */
  mark: (answers: readonly EventAnswer[]) => Promise<void> | void;
}

export interface PollOptions {
  /** Returns commands after this `seq`. Not for leased commands. */
  after?: number;
  /** 1 to 500. */
  limit?: number;
  /** Seconds that an empty answer is delayed, 0 to 30. */
  wait?: number;
  /** Seconds for which the commands are reserved for this caller, 1 to 600. */
  lease?: number;
}

/** A command, with its lease if it was requested with one. */
export type ReceivedCommand = Command & { lease?: string; leaseUntil?: number };

/** The answer to a receipt or a renewal. `lost`: another program has the command, or it is finished. */
export interface LeaseAnswer {
  id: number;
  result: 'applied' | 'duplicate' | 'lost';
  /** End of the lease, or of the time for the answer, in unix milliseconds; null if it is lost. */
  until: number | null;
}

/** What is recorded of an event that took effect. */
export interface AppliedEvent {
  eventId: string;
  type: string;
  at: number;
  recordedAt: number;
  result: 'applied';
}

/** What the platform did with a command. */
export type CommandResult = Pick<Ack, 'state' | 'reason'>;

const EVENTS_MAX = 1_000;
const POLL_SECONDS = 30;

/** Client of the platform gateway of one back office. */
export class PlatformClient {
  readonly #transport: Transport;
  readonly #signal: AbortSignal | undefined;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.#signal = options.signal;
  }

  /**
   * Reports events in order, in as many calls as they need, and returns an answer for each. Repeats calls without an answer.
   * An event that the server refuses for its form is answered `rejected`, so that it does not hold up those after it. Await
   * each call before the next one: events of concurrent calls have no order.
   */
  async sendEvents(events: readonly PlatformEvent[]): Promise<EventAnswer[]> {
    const answers: EventAnswer[] = [];
    for (const chunk of chunkEvents(encodeEvents(events))) answers.push(...(await this.#sendChunk(chunk)));
    return answers;
  }

  /**
   * The answers that the server would give to these events, which change nothing. One call: at most 1,000 events and 8 MiB.
   */
  async dryRun(events: readonly PlatformEvent[]): Promise<EventAnswer[]> {
    return (await this.#transport.call('POST', 'events?dryRun=1', JSON.stringify(events))) as EventAnswer[];
  }

  /**
   * Sends the events of an outbox until it is empty. After a crash, the same events are sent again, and those that took
   * effect are answered `duplicate`.
   *
   * @returns the number of events that were answered
   */
  async drainOutbox(outbox: Outbox): Promise<number> {
    for (let sent = 0; ;) {
      const events = await outbox.next(EVENTS_MAX);
      if (events.length === 0) return sent;
      for (const chunk of chunkEvents(encodeEvents(events))) {
        const answers = await this.#sendChunk(chunk);
        await outbox.mark(answers);
        sent += answers.length;
      }
    }
  }

  /** Receives commands, by long polling with `wait`. */
  async poll({ after, limit, wait, lease }: PollOptions = {}): Promise<ReceivedCommand[]> {
    const path = `commands${toSearch({ after, limit, wait, lease })}`;
    return (await this.#transport.call('GET', path, '', (wait ?? 0) * 1_000)) as ReceivedCommand[];
  }

  /** Answers commands, leased ones with their lease. `duplicate` means that the command already has its answer. */
  async acknowledge(acks: readonly Ack[]): Promise<AckAnswer[]> {
    return (await this.#post('commands/ack', acks)) as AckAnswer[];
  }

  /** Confirms that leased commands have arrived. From then on the time for their answer runs. */
  async confirmReceipt(commands: readonly ReceivedCommand[]): Promise<LeaseAnswer[]> {
    return (await this.#post('commands/receipt', leasesOf(commands))) as LeaseAnswer[];
  }

  /** Extends the leases of commands, or after their receipt the time for the answer. */
  async renewLeases(commands: readonly ReceivedCommand[]): Promise<LeaseAnswer[]> {
    return (await this.#post('commands/renew', leasesOf(commands))) as LeaseAnswer[];
  }

  /**
   * Handles commands one after the other and acknowledges each with the result of the handler. Ends when the signal of the
   * client aborts. Commands come at least once: the handler must recognise an `id` that it has already executed. With a
   * `lease`, several programs may share the commands; the receipt of each is confirmed just before it is handled.
   *
   * @throws the error of the handler. Its command has no ack, and is delivered again after a restart.
   */
  async handleCommands(
    handler: (command: ReceivedCommand) => Promise<CommandResult> | CommandResult,
    { wait = POLL_SECONDS, lease, limit }: Omit<PollOptions, 'after'> = {},
  ): Promise<void> {
    const options = { wait, ...(limit === undefined ? {} : { limit }), ...(lease === undefined ? {} : { lease }) };
    for (let after = 0; !this.#signal?.aborted;) {
      const commands = await this.#untilAborted(this.poll(lease === undefined ? { ...options, after } : options));
      for (const command of commands) {
        if (this.#signal?.aborted) return;
        if (lease !== undefined && !(await this.#isOurs(command))) continue;
        const result = await handler(command);
        const held = command.lease === undefined ? {} : { lease: command.lease };
        await this.#untilAborted(this.acknowledge([{ id: command.id, ...held, ...result }]));
        after = Math.max(after, command.seq);
      }
    }
  }

  /** Reads data of the back office, such as `read('balances', { account: 'alice' })`. */
  async read<P extends keyof Reads>(path: P, query: Reads[P]['query']): Promise<Reads[P]['data']> {
    return (await this.#transport.call('GET', `${path}${toSearch(query)}`)) as Reads[P]['data'];
  }

  /** What is recorded of an event; undefined if it has not been applied. */
  async findEvent(eventId: string): Promise<AppliedEvent | undefined> {
    try {
      return (await this.#transport.call('GET', `events/${encodeURIComponent(eventId)}`)) as AppliedEvent;
    } catch (error) {
      if (error instanceof RefusedCall && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Opens a support link by its token. */
  async redeemSupportLink(token: string): Promise<{ account: string; readOnly: true; operator: string; at: number }> {
    const redeemed = await this.#post('support/redeem', { token });
    return redeemed as { account: string; readOnly: true; operator: string; at: number };
  }

  #post(path: string, body: unknown): Promise<unknown> {
    return this.#transport.call('POST', path, JSON.stringify(body));
  }

  /** A refused chunk is split in halves until the event that causes it is alone. */
  async #sendChunk(chunk: readonly EncodedEvent[]): Promise<EventAnswer[]> {
    const body = `[${chunk.map(({ text }) => text).join(',')}]`;
    const [only] = chunk;
    // The server closes the connection before it has read such a body, which would look like an outage.
    if (chunk.length === 1 && only && Buffer.byteLength(body) > BYTES_MAX)
      return [
        { eventId: only.eventId, result: 'rejected', reason: 'too_large', detail: `more than ${BYTES_MAX} bytes` },
      ];
    try {
      return checkAnswers(chunk, await this.#transport.call('POST', 'events', body));
    } catch (error) {
      const [first] = chunk;
      if (!(error instanceof RefusedCall) || !first || (error.status !== 413 && error.status !== 422)) throw error;
      if (chunk.length === 1) {
        return [{ eventId: first.eventId, result: 'rejected', reason: error.error, detail: error.message }];
      }
      const half = Math.ceil(chunk.length / 2);
      return [...(await this.#sendChunk(chunk.slice(0, half))), ...(await this.#sendChunk(chunk.slice(half)))];
    }
  }

  /** Confirms the receipt of a leased command. False if the lease is lost, or the signal ended the call. */
  async #isOurs(command: ReceivedCommand): Promise<boolean> {
    const [answer] = await this.#untilAborted(this.confirmReceipt([command]));
    return answer !== undefined && answer.result !== 'lost';
  }

  /** The result of a call, or nothing if the signal ended it. */
  async #untilAborted<T>(call: Promise<T[]>): Promise<T[]> {
    try {
      return await call;
    } catch (error) {
      if (this.#signal?.aborted) return [];
      throw error;
    }
  }
}

function checkAnswers(chunk: readonly EncodedEvent[], data: unknown): EventAnswer[] {
  const answers = data as EventAnswer[];
  const isMatching = Array.isArray(answers) && answers.length === chunk.length;
  if (!isMatching || answers.some(({ eventId }, index) => eventId !== chunk[index]?.eventId)) {
    throw new Error(`The server did not answer each of the ${chunk.length} events.`);
  }
  return answers;
}

const leasesOf = (commands: readonly ReceivedCommand[]) => commands.map(({ id, lease }) => ({ id, lease }));

function toSearch(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}
