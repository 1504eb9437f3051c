import { prefetchPositions } from '../modules/future/future.events.ts';
import { recharges } from '../modules/recharge/recharge.store.ts';
import { orders } from '../modules/spot/spot.store.ts';
import type { EventBatch } from './event-batch.ts';
import type { AnyEvent } from './events.ts';
import { prefetchTickMarkets } from '../modules/market/market.events.ts';
import { prefetchMarkets, prefetchUsers } from './lookup.store.ts';

/** Field of each event type that names an existing row. */
const orderFields = new Map([
  ['order.filled', 'no'],
  ['order.cancelled', 'no'],
]);
const positionFields = new Map([
  ['position.opened', 'no'],
  ['position.changed', 'no'],
  ['position.closed', 'no'],
  ['position.liquidated', 'no'],
  ['position.cancelled', 'no'],
  ['funding.paid', 'position'],
]);
const rechargeFields = new Map([
  ['recharge.credited', 'no'],
  ['recharge.failed', 'no'],
  ['recharge.reversed', 'no'],
]);
/** The account of these events does not exist yet, or is an agent's. */
const registrations = ['user.registered', 'agent.registered'];
/** These events change the user itself, so they lock it for update. */
const userChanges = ['auth.submitted', 'auth.imported'];

/** Reads and locks the rows that the events of a batch name, with one statement per table. */
export async function prefetchRecords(batch: EventBatch, events: readonly AnyEvent[]): Promise<void> {
  const others = events.filter(({ type }) => !registrations.includes(type));
  const toTake = uniqueNames(
    others.filter(({ type }) => userChanges.includes(type)).map(({ data }) => data['account']),
  );
  const toFind = uniqueNames(others.flatMap(({ data }) => [data['account'], data['toAccount']]));
  await prefetchUsers(batch, { toTake, toFind: toFind.filter((account) => !toTake.includes(account)) });
  const ticked = uniqueNames(events.filter(({ type }) => type === 'tick').map(({ data }) => data['market']));
  if (ticked.length > 0) await prefetchTickMarkets(batch, ticked);
  const markets = uniqueNames(events.filter(({ type }) => type !== 'tick').map(({ data }) => data['market']));
  if (markets.length > 0) await prefetchMarkets(batch, markets);
  const orderNumbers = numbersOf(events, orderFields);
  if (orderNumbers.length > 0) await batch.prefetch(orders, orderNumbers);
  const positionEvents = events.flatMap(({ type, data }) =>
    uniqueNames([data[positionFields.get(type) ?? '']]).map((no) => ({ no, type })),
  );
  if (positionEvents.length > 0) await prefetchPositions(batch, positionEvents);
  const rechargeNumbers = numbersOf(events, rechargeFields);
  if (rechargeNumbers.length > 0) await batch.prefetch(recharges, rechargeNumbers);
}

const numbersOf = (events: readonly AnyEvent[], fields: ReadonlyMap<string, string>): string[] =>
  uniqueNames(events.map(({ type, data }) => data[fields.get(type) ?? '']));

const NUMBER_MAX = 64;
/** The events are not validated yet. Values that cannot be a number are skipped here and rejected with their event. */
const isNumber = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NUMBER_MAX && !value.includes('\0');

const uniqueNames = (values: readonly unknown[]): string[] => [...new Set(values.filter(isNumber))];
