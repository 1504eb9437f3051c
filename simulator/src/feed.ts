import { COMMANDS_MAX } from '@hengtai/contract/gateway/gateway';
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import {
  type ClientOptions,
  PlatformClient,
  type PlatformEvent as ClientEvent,
  RefusedCall,
} from '../../clients/typescript/src/index.ts';
import { Transport } from '../../clients/typescript/src/transport.ts';
import type { Clock } from './clock.ts';
import { log } from './log.ts';

export interface FeedOptions {
  url: string;
  key: string;
  secret: string;
  clock: Clock;
  signal: AbortSignal;
}

/** The client of the gateway, with what only a simulator may call. Calls end with the reason of the signal when it aborts. */
export class Feed extends PlatformClient {
  readonly #transport: Transport;

  constructor({ url, key, secret, clock, signal }: FeedOptions) {
    const options: ClientOptions = {
      url,
      key,
      secret,
      signal,
      now: clock.now,
      sleep: (ms) => clock.sleep(ms, signal),
      onRetry: ({ path, tries, error }) => {
        // A single failure is normal during a restart, so only the second is logged.
        if (tries === 2) log('waiting for the server', { path, error: describe(error) });
      },
    };
    super(options);
    this.#transport = new Transport(options);
  }

  // The client has types of its own, generated from the contract; they differ in how they write optional fields and choices.

  async send(events: readonly PlatformEvent[]): Promise<EventAnswer[]> {
    return (await this.sendEvents(events as readonly ClientEvent[])) as EventAnswer[];
  }

  /** One long poll; an empty list means that no command arrived in time. */
  async receive(after: number, wait: number): Promise<PlatformCommand[]> {
    return (await this.poll({ after, limit: COMMANDS_MAX, wait })) as PlatformCommand[];
  }

  /** Ends the import of the history. A refusal is only logged; then the admin ends it in the console. */
  async goLive(): Promise<void> {
    try {
      await this.#transport.call('POST', 'live');
    } catch (error) {
      if (!(error instanceof RefusedCall)) throw error;
      log('the server refused to go live', { error: error.message });
    }
  }
}

/** The result of a read, or undefined if the server has nothing of this name. */
export async function ifExists<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof RefusedCall && error.status === 404) return undefined;
    throw error;
  }
}

const describe = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message;
