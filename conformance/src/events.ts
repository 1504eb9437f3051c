import { EVENT_TYPES, type EventType, isInSeconds } from '@hengtai/contract/gateway/gateway';
import { type EventData, eventData } from '@hengtai/contract/gateway/events.schema';
import { type EventAnswer, Events } from '@hengtai/contract/gateway/schema';
import type { Static } from '@sinclair/typebox';
import { Value, type ValueError } from '@sinclair/typebox/value';

type AnyEvent = Static<typeof Events>[number];

/** An event that arrived, with every try. */
export interface Arrival {
  event: AnyEvent;
  /** Number of calls that contained it. */
  times: number;
}

/** @returns undefined if the body is not a list of events */
export function readEvents(body: string): AnyEvent[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Value.Check(Events, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The events of the platform in the order in which they took effect. */
export class EventLog {
  readonly arrivals: Arrival[] = [];
  /** What is wrong with the form of events. */
  readonly faults: string[] = [];
  /** Events that came again under the same `eventId` and were not the same. */
  readonly conflicts: string[] = [];
  /** Returns the reason why an event is rejected. */
  reject: (event: AnyEvent) => string | undefined = () => undefined;

  apply(events: readonly AnyEvent[]): EventAnswer[] {
    return events.map((event) => this.#applyOne(event));
  }

  /** The arrivals of a type whose data has these values. */
  find<T extends EventType>(type: T, data: Partial<EventData[T]> = {}): Arrival[] {
    return this.arrivals.filter(
      ({ event }) => event.type === type && Object.entries(data).every(([field, value]) => event.data[field] === value),
    );
  }

  #applyOne(event: AnyEvent): EventAnswer {
    const { eventId } = event;
    const rejected = (reason: string): EventAnswer => ({ eventId, result: 'rejected', reason });
    const known = this.arrivals.find((arrival) => arrival.event.eventId === eventId);
    if (known) {
      known.times += 1;
      if (contentOf(known.event) === contentOf(event)) return { eventId, result: 'duplicate' };
      this.conflicts.push(`${event.type} ${eventId}: ${describeConflict(known.event, event)}`);
      return rejected('conflict');
    }
    const wrong = timesOf(event).find(({ at }) => isInSeconds(at));
    if (wrong) {
      this.faults.push(`${event.type}: ${wrong.field} ${wrong.at} is in seconds, not milliseconds`);
      return rejected('invalid: at');
    }
    if (!isType(event.type)) {
      this.faults.push(`${event.type} is not a type of event`);
      return rejected('unsupported');
    }
    const schema = eventData[event.type];
    if (!Value.Check(schema, event.data)) {
      const [first] = Value.Errors(schema, event.data);
      this.faults.push(`${event.type}: ${describeFault(first)}`);
      return rejected(`invalid: ${first?.path.slice(1) ?? 'data'}`);
    }
    const reason = this.reject(event);
    if (reason !== undefined) return rejected(reason);
    this.arrivals.push({ event, times: 1 });
    return { eventId, result: 'applied' };
  }
}

const types: ReadonlySet<string> = new Set(EVENT_TYPES);
const isType = (type: string): type is EventType => types.has(type);

/** The time of an event, and for a tick that of the price. */
const timesOf = ({ at, data }: AnyEvent): { field: string; at: number }[] =>
  [
    { field: 'at', at },
    { field: 'data/at', at: data['at'] },
  ].filter((time): time is { field: string; at: number } => typeof time.at === 'number');

function describeFault(error: ValueError | undefined): string {
  if (!error) return 'data has the wrong form';
  const { path, value, schema, message } = error;
  const isFloat = typeof value === 'number' && schema['type'] === 'string';
  const rule = isFloat ? 'a text is expected: amounts are decimal texts' : (schema['description'] ?? message);
  return `data${path} has the wrong form, ${shorten(value)}: ${rule}`;
}

function describeConflict(before: AnyEvent, after: AnyEvent): string {
  if (before.type !== after.type) return `it was ${before.type} before`;
  const fields = Object.keys({ ...before.data, ...after.data });
  const changed = fields.filter((field) => shorten(before.data[field]) !== shorten(after.data[field]));
  return changed
    .map((field) => `${field} was ${shorten(before.data[field])} and is ${shorten(after.data[field])}`)
    .join(', ');
}

const SHOWN_MAX = 100;
const shorten = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, SHOWN_MAX);

/** Type and data as a text that does not depend on the order of the fields. */
const contentOf = ({ type, data }: AnyEvent): string =>
  JSON.stringify([type, data], (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
