import { setTimeout as sleep } from 'node:timers/promises';
import type { EventData, PlatformEvent, PlatformClient } from '../src/index.ts';
import type { Memory } from './memory.ts';

export type WalletKind = EventData['wallet.saved']['kind'];
export type Moved = EventData['chain.moved'];

/**
 * The number of a move, at most 64 characters: the same for the same place on the same chain, also if the memory is lost. Parts of
 * the hashes suffice, of blocks the end, because the beginning may be zeros.
 */
export const numberOf = (txHash: string, place: string, blockHash: string): string =>
  `${txHash.replace(/^0x/, '').slice(0, 36)}-${place}-${blockHash.slice(-12)}`;

export const movedEvent = (at: number, data: Moved): PlatformEvent => ({
  eventId: `moved-${data.no}`,
  type: 'chain.moved',
  at,
  data,
});

export const revertedEvent = (at: number, no: string): PlatformEvent => ({
  eventId: `reverted-${no}`,
  type: 'chain.reverted',
  at,
  data: { no },
});

/** A reading after a block; its hash tells it from one after another block of the same height. */
export const readingEvent = (
  at: number,
  data: EventData['wallet.balance'] & { block: number },
  blockHash: string,
): PlatformEvent => ({ eventId: `reading-${data.wallet}-${blockHash.slice(-32)}`, type: 'wallet.balance', at, data });

export const savedEvent = (at: number, data: EventData['wallet.saved']): PlatformEvent => ({
  eventId: `saved-${data.wallet}`,
  type: 'wallet.saved',
  at,
  data,
});

interface Watching<P> {
  client: Pick<PlatformClient, 'drainOutbox'>;
  memory: Memory<P>;
  pauseMs: number;
  signal: AbortSignal;
  /** Called when a poll failed, for example because the node restarts. It is asked again after the pause. */
  onError: (error: unknown) => void;
}

/**
 * Watches until the signal aborts.
 *
 * @param poll reads the chain and stores what it finds in the memory
 */
export async function watch<P>(
  poll: () => Promise<void>,
  { client, memory, pauseMs, signal, onError }: Watching<P>,
): Promise<void> {
  while (!signal.aborted) {
    await poll().catch(onError);
    await client.drainOutbox(memory);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
