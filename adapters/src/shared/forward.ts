import type { CommandResult, PlatformClient, ReceivedCommand } from '../../../clients/typescript/src/index.ts';
import type { Journal } from './journal.ts';

/** Seconds for which the adapter alone has a command. */
const LEASE_SECONDS = 60;

/**
 * Sends the events of the journal in their order and handles commands, until the signal aborts. Commands are leased, so that a
 * crash before a command was received leaves no unknown outcome.
 *
 * @param wait seconds that a poll waits for commands
 * @throws if the back office refuses a call, or the handler fails
 */
export async function forward(
  client: PlatformClient,
  journal: Journal,
  handle: (command: ReceivedCommand) => Promise<CommandResult>,
  signal: AbortSignal,
  wait?: number,
): Promise<void> {
  await Promise.all([
    sendEvents(client, journal, signal),
    client.handleCommands(handle, { lease: LEASE_SECONDS, ...(wait === undefined ? {} : { wait }) }),
  ]);
}

async function sendEvents(client: PlatformClient, journal: Journal, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      await journal.untilPending(signal);
      await client.drainOutbox(journal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
