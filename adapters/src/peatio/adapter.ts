import type { KeyObject } from 'node:crypto';
import { type ClientOptions, PlatformClient } from '../../../clients/typescript/src/index.ts';
import { forward } from '../shared/forward.ts';
import type { Journal } from '../shared/journal.ts';
import { executeCommand } from './commands.ts';
import type { ManagementApi } from './management.ts';
import { mapEvent } from './mapping.ts';
import type { Names, PeatioEvent } from './messages.ts';
import { BadToken, verifyToken } from './token.ts';

/** A queue with Peatio's messages in the order of their publication. */
export interface MessageSource {
  /**
   * Gives each message to the handler, one after the other. A message is acknowledged once the handler has returned, dropped if
   * it returns false, and comes again if it was given to a handler that did not return.
   */
  consume: (handle: (text: string) => boolean, signal: AbortSignal) => Promise<void>;
}

export interface PeatioOptions {
  client: ClientOptions & { signal: AbortSignal };
  source: MessageSource;
  journal: Journal;
  management: ManagementApi;
  names: Names;
  /** Public key of Peatio's Event API. */
  eventKey: KeyObject;
  log: (text: string) => void;
  /** Seconds of a poll for commands. */
  wait?: number;
}

/** Name of Peatio's key and issuer of its events. */
const ISSUER = 'peatio';

/** Moves events from Peatio's queue to the back office, and commands the other way, until the signal aborts. */
export async function runPeatioAdapter(options: PeatioOptions): Promise<void> {
  const { client, source, journal, management, wait } = options;
  const { signal } = client;
  await Promise.all([
    source.consume((text) => receive(text, options), signal),
    forward(
      new PlatformClient(client),
      journal,
      (command) => executeCommand(command, management, journal),
      signal,
      wait,
    ),
  ]);
}

/**
 * Stores what a message says. The message may be forgotten afterwards, and only then.
 *
 * @returns false if it is not Peatio's, or cannot be read
 */
function receive(text: string, { journal, names, eventKey, log }: PeatioOptions): boolean {
  try {
    const { iss, jti, event } = verifyToken(text, ISSUER, eventKey);
    if (iss !== ISSUER) throw new BadToken(`its issuer is ${String(iss)}`);
    journal.add(mapEvent(event as PeatioEvent, String(jti), names, (id) => journal.has(id)));
    return true;
  } catch (error) {
    if (isDiskError(error)) throw error;
    log(`a message was dropped: ${String(error)}`);
    return false;
  }
}

/** The journal could not be written: the message must stay in the queue. */
const isDiskError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
