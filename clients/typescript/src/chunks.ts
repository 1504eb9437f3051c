import type { PlatformEvent } from './types.ts';

/** An event with its JSON text, which is the same in each try. */
export interface EncodedEvent {
  eventId: string;
  text: string;
}

const EVENTS_MAX = 1_000;
/** Limit of a body in bytes. */
export const BYTES_MAX = 8 * 1024 * 1024;

export const encodeEvents = (events: readonly PlatformEvent[]): EncodedEvent[] =>
  events.map((event) => ({ eventId: event.eventId, text: JSON.stringify(event) }));

/** Splits events into calls in their order. An event that is too large for any call is alone. */
export function* chunkEvents(
  events: readonly EncodedEvent[],
  eventsMax = EVENTS_MAX,
  bytesMax = BYTES_MAX,
): Generator<EncodedEvent[]> {
  let chunk: EncodedEvent[] = [];
  // Each event needs a comma or the closing bracket, and the list its opening bracket.
  let bytes = 1;
  for (const event of events) {
    const size = Buffer.byteLength(event.text) + 1;
    if (chunk.length > 0 && (chunk.length === eventsMax || bytes + size > bytesMax)) {
      yield chunk;
      [chunk, bytes] = [[], 1];
    }
    chunk.push(event);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
