import { randomUUID } from 'node:crypto';
import type { CommandType } from '@hengtai/contract/gateway/gateway';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import {
  type Ack,
  type AckAnswer,
  Acks,
  CommandsQuery,
  type LeaseAnswer,
  Leases,
} from '@hengtai/contract/gateway/schema';
import type { TSchema, Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

interface SentCommand {
  seq: number;
  id: number;
  type: string;
  at: number;
  attempt: number;
  data: unknown;
  lease?: string;
  leaseUntil?: number;
}

/** The program that has a command alone. */
interface LeaseState {
  lease: string;
  until: number;
  isReceived: boolean;
}

export interface Poll {
  after: number;
  limit: number;
  wait: number;
  /** Seconds; undefined for a reading without leases. */
  lease: number | undefined;
}

/** @returns undefined if the body has another form */
const read = <S extends TSchema>(schema: S, body: string): Static<S> | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    return Value.Check(schema, value) ? value : undefined;
  } catch {
    return undefined;
  }
};
export const readAcks = (body: string): Ack[] | undefined => read(Acks, body);
export const readLeases = (body: string): Leases | undefined => read(Leases, body);

/** @returns undefined if the query has other parameters or values than the gateway accepts */
export function readPoll(query: URLSearchParams): Poll | undefined {
  const values = Object.fromEntries([...query].map(([name, text]) => [name, Number(text)]));
  if (!Value.Check(CommandsQuery, values)) return undefined;
  return { after: values.after ?? 0, limit: values.limit ?? 100, wait: values.wait ?? 0, lease: values.lease };
}

const FIRST_ID = 101;
/** Milliseconds that a platform has for its answer after the receipt. */
const ANSWER_MS = 60_000;

/** The commands to the platform, and its answers. */
export class CommandLog {
  /** All acks that were recorded, in their order. */
  readonly acks: Ack[] = [];
  /** Acks of commands that had their answer, by id. */
  readonly repeatedAcks: number[] = [];
  /** How often each command was part of an answer that was not lost, by id. */
  readonly deliveries = new Map<number, number>();
  /** All commands by id, with the number of their last delivery. */
  readonly #sent = new Map<number, SentCommand>();
  readonly #open = new Set<number>();
  readonly #leases = new Map<number, LeaseState>();
  /** Commands that only a webhook delivers. */
  readonly #pushed = new Set<number>();
  /** Whether the platform has asked for commands with leases. */
  usesLeases = false;
  /** Receipts that were answered, by command. */
  readonly receipts: { id: number; result: LeaseAnswer['result'] }[] = [];
  #seq = 0;

  /** @returns the id of the command */
  send<T extends CommandType>(type: T, data: CommandData[T]): number {
    return this.sendAny(type, data);
  }

  /** As `send`, also for a type that no platform can know. */
  sendAny(type: string, data: unknown): number {
    const id = FIRST_ID + this.#sent.size;
    this.#sent.set(id, { seq: (this.#seq += 1), id, type, at: Date.now(), attempt: 1, data });
    this.#open.add(id);
    return id;
  }

  /** A command that polls do not return. @returns it, for a webhook */
  prepareWebhook<T extends CommandType>(type: T, data: CommandData[T]): SentCommand {
    const id = this.send(type, data);
    this.#pushed.add(id);
    const [command] = this.#lend([id], ANSWER_MS);
    if (!command) throw new Error(`There is no command ${id}.`);
    return command;
  }

  /** Sends a command again, whether it is answered or not: the same id, a new number and the next attempt. */
  resend(id: number): void {
    const command = this.#sent.get(id);
    if (!command) throw new Error(`There is no command ${id}.`);
    this.#sent.set(id, { ...command, seq: (this.#seq += 1), attempt: command.attempt + 1 });
    this.#open.add(id);
    this.#leases.delete(id);
  }

  /** Ends the lease of a command before its time. With `taker`, another program has the command at once. */
  endLease(id: number, taker = false): void {
    if (taker) this.#leases.set(id, { lease: randomUUID(), until: Number.POSITIVE_INFINITY, isReceived: true });
    else this.#leases.delete(id);
  }

  open({ after, limit, lease }: Poll): SentCommand[] {
    const open = [...this.#open].flatMap((id) => this.#sent.get(id) ?? []);
    return open
      .filter(({ seq, id }) => seq > after && !this.#pushed.has(id) && (lease === undefined || !this.#isLent(id)))
      .toSorted((a, b) => a.seq - b.seq)
      .slice(0, limit);
  }

  /** @param isReceived whether the answer reaches the platform */
  deliver(poll: Poll, isReceived: boolean): SentCommand[] {
    this.usesLeases ||= poll.lease !== undefined;
    const open = this.open(poll);
    if (isReceived) for (const { id } of open) this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
    if (poll.lease === undefined || !isReceived) return open;
    return this.#lend(
      open.map(({ id }) => id),
      poll.lease * 1_000,
    );
  }

  receive(leases: Leases): LeaseAnswer[] {
    return this.#useLeases(leases, (state) => {
      const result = state.isReceived ? 'duplicate' : 'applied';
      if (!state.isReceived) Object.assign(state, { isReceived: true, until: Date.now() + ANSWER_MS });
      return result;
    });
  }

  renew(leases: Leases): LeaseAnswer[] {
    return this.#useLeases(leases, (state) => {
      state.until = Date.now() + ANSWER_MS;
      return 'applied';
    });
  }

  acknowledge(acks: readonly Ack[]): AckAnswer[] {
    return acks.map((ack) => {
      const isLost = ack.lease !== undefined && this.#leases.get(ack.id)?.lease !== ack.lease;
      if (isLost && ack.state !== 'done' && this.#open.has(ack.id)) return { id: ack.id, result: 'lost' };
      const isFirst = this.#open.delete(ack.id);
      if (isFirst) this.acks.push(ack);
      else this.repeatedAcks.push(ack.id);
      return { id: ack.id, result: isFirst ? 'applied' : 'duplicate' };
    });
  }

  #isLent(id: number): boolean {
    return (this.#leases.get(id)?.until ?? 0) > Date.now();
  }

  #lend(ids: readonly number[], lastsMs: number): SentCommand[] {
    return ids.flatMap((id) => {
      const command = this.#sent.get(id);
      if (!command) return [];
      const state = { lease: randomUUID(), until: Date.now() + lastsMs, isReceived: false };
      this.#leases.set(id, state);
      return [{ ...command, lease: state.lease, leaseUntil: state.until }];
    });
  }

  #useLeases(leases: Leases, use: (state: LeaseState) => LeaseAnswer['result']): LeaseAnswer[] {
    return leases.map(({ id, lease }) => {
      const state = this.#leases.get(id);
      const isHeld = state?.lease === lease && this.#open.has(id);
      const result = isHeld ? use(state) : 'lost';
      this.receipts.push({ id, result });
      return { id, result, until: isHeld ? state.until : null };
    });
  }

  /** The recorded acks of a command. */
  acksOf(id: number): Ack[] {
    return this.acks.filter((ack) => ack.id === id);
  }
}
