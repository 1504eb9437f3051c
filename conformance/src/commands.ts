import type { CommandType } from '@hengtai/contract/gateway';
import type { CommandData } from '@hengtai/contract/gateway-commands.schema';
import { type Ack, Acks, CommandsQuery } from '@hengtai/contract/gateway.schema';
import { Value } from '@sinclair/typebox/value';

interface SentCommand {
  seq: number;
  id: number;
  type: string;
  at: number;
  attempt: number;
  data: unknown;
}

export interface Poll {
  after: number;
  limit: number;
  wait: number;
}

/** @returns undefined if the body is not a list of acks */
export function readAcks(body: string): Ack[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Value.Check(Acks, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns undefined if the query has other parameters or values than the gateway accepts */
export function readPoll(query: URLSearchParams): Poll | undefined {
  const values = Object.fromEntries([...query].map(([name, text]) => [name, Number(text)]));
  if (!Value.Check(CommandsQuery, values)) return undefined;
  return { after: values.after ?? 0, limit: values.limit ?? 100, wait: values.wait ?? 0 };
}

const FIRST_ID = 101;

/** The commands to the platform, and its answers. */
export class CommandLog {
  /** All acks that were recorded, in their order. */
  readonly acks: Ack[] = [];
  /** How often each command was part of an answer that was not lost, by id. */
  readonly deliveries = new Map<number, number>();
  /** All commands by id, with the number of their last delivery. */
  readonly #sent = new Map<number, SentCommand>();
  readonly #open = new Set<number>();
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

  /** Sends a command again, whether it is answered or not: the same id, a new number and the next attempt. */
  resend(id: number): void {
    const command = this.#sent.get(id);
    if (!command) throw new Error(`There is no command ${id}.`);
    this.#sent.set(id, { ...command, seq: (this.#seq += 1), attempt: command.attempt + 1 });
    this.#open.add(id);
  }

  open({ after, limit }: Poll): SentCommand[] {
    const open = [...this.#open].flatMap((id) => this.#sent.get(id) ?? []);
    return open
      .filter(({ seq }) => seq > after)
      .toSorted((a, b) => a.seq - b.seq)
      .slice(0, limit);
  }

  /** @param isReceived whether the answer reaches the platform */
  deliver(poll: Poll, isReceived: boolean): SentCommand[] {
    const open = this.open(poll);
    if (isReceived) for (const { id } of open) this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
    return open;
  }

  acknowledge(acks: readonly Ack[]) {
    return acks.map((ack) => {
      const isFirst = this.#open.delete(ack.id);
      if (isFirst) this.acks.push(ack);
      return { id: ack.id, result: isFirst ? 'applied' : 'duplicate' };
    });
  }

  /** The recorded acks of a command. */
  acksOf(id: number): Ack[] {
    return this.acks.filter((ack) => ack.id === id);
  }
}
