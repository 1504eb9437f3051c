import type { EventBatch, NumberedRow, NumberedRows } from './event-batch.ts';
import type { AnyEvent, Prefetch } from './handlers.ts';
import { prefetchMarkets, prefetchUsers } from './lookup.store.ts';

/** The account of these events does not exist yet, or is an agent's. */
const registrations = ['user.registered', 'agent.registered'];
/**
 * These events change the user itself, or are judged by what others of the user changed, so they lock it for update and follow
 * each other.
 */
const userChanges = ['auth.submitted', 'auth.imported', 'withdraw.requested'];

/** Reads and locks the rows that the events of a batch name, with one statement per table. */
export async function prefetchRecords(
  batch: EventBatch,
  events: readonly AnyEvent[],
  prefetches: readonly Prefetch[],
): Promise<void> {
  const others = events.filter(({ type }) => !registrations.includes(type));
  const toTake = uniqueNames(
    others.filter(({ type }) => userChanges.includes(type)).map(({ data }) => data['account']),
  );
  const toFind = uniqueNames(others.flatMap(({ data }) => [data['account'], data['toAccount']]));
  await prefetchUsers(batch, { toTake, toFind: toFind.filter((account) => !toTake.includes(account)) });
  const markets = uniqueNames(events.filter(({ type }) => type !== 'tick').map(({ data }) => data['market']));
  if (markets.length > 0) await prefetchMarkets(batch, markets);
  for (const prefetch of prefetches) await prefetch(batch, events);
}

/** The field of each event type that names an existing row. */
export type NameFields = ReadonlyMap<string, string>;

/** The rows that the events name, each once. */
export const namesIn = (events: readonly AnyEvent[], fields: NameFields): string[] =>
  uniqueNames(events.map(({ type, data }) => data[fields.get(type) ?? '']));

/** Makes a prefetch that locks the rows with the numbers in these fields. */
export const prefetchRows =
  <Row extends NumberedRow>(source: NumberedRows<Row>, fields: NameFields): Prefetch =>
  async (batch, events) => {
    const numbers = namesIn(events, fields);
    if (numbers.length > 0) await batch.prefetch(source, numbers);
  };

const NUMBER_MAX = 64;
/** The events are not validated yet. Values that cannot be a number are skipped here and rejected with their event. */
const canBeNumber = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NUMBER_MAX && !value.includes('\0');

const uniqueNames = (values: readonly unknown[]): string[] => [...new Set(values.filter(canBeNumber))];
