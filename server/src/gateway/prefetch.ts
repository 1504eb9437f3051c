import type { Db } from '../db/connect.ts';
import { prefetchPositions } from '../future/future.events.ts';
import { prefetchRecharges } from '../recharge/recharge.store.ts';
import { prefetchOrders } from '../spot/spot.store.ts';
import type { AnyEvent } from './events.ts';
import { prefetchUsers } from './lookup.store.ts';

/** Field of each event type that names an existing row. */
const orders = new Map([
  ['order.filled', 'no'],
  ['order.cancelled', 'no'],
]);
const positions = new Map([
  ['position.opened', 'no'],
  ['position.changed', 'no'],
  ['position.closed', 'no'],
  ['position.liquidated', 'no'],
  ['position.cancelled', 'no'],
  ['funding.paid', 'position'],
]);
const recharges = new Map([
  ['recharge.credited', 'no'],
  ['recharge.failed', 'no'],
  ['recharge.reversed', 'no'],
]);
/** The account of these events does not exist yet, or is an agent's. */
const registrations = ['user.registered', 'agent.registered'];
/** These events change the user itself, so they lock it for update. */
const userChanges = ['auth.submitted', 'auth.imported'];

/**
 * Reads and locks the rows that the events of a group name, one statement per table. If only one order, position or
 * recharge is named, its event reads it.
 */
export async function prefetchRecords(db: Db, events: readonly AnyEvent[], now: number): Promise<void> {
  const others = events.filter(({ type }) => !registrations.includes(type));
  const toTake = uniqueNames(
    others.filter(({ type }) => userChanges.includes(type)).map(({ data }) => data['account']),
  );
  const toFind = uniqueNames(others.flatMap(({ data }) => [data['account'], data['toAccount']]));
  await prefetchUsers(db, { toTake, toFind: toFind.filter((account) => !toTake.includes(account)) });
  await prefetchSeveral(numbersOf(events, orders), (numbers) => prefetchOrders(db, numbers));
  await prefetchSeveral(numbersOf(events, positions), (numbers) =>
    prefetchPositions(
      db,
      events.flatMap(({ type, data }) =>
        numbers.filter((no) => no === data[positions.get(type) ?? '']).map((no) => ({ no, type })),
      ),
      now,
    ),
  );
  await prefetchSeveral(numbersOf(events, recharges), (numbers) => prefetchRecharges(db, numbers));
}

const numbersOf = (events: readonly AnyEvent[], fields: ReadonlyMap<string, string>): unknown[] =>
  events.map(({ type, data }) => data[fields.get(type) ?? '']);

const NUMBER_MAX = 64;
/** The events are not validated yet. Values that cannot be a number are skipped here and rejected with their event. */
const isNumber = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NUMBER_MAX && !value.includes('\0');

const uniqueNames = (values: readonly unknown[]): string[] => [...new Set(values.filter(isNumber))];

/** A single row is cheaper to read by its event. */
async function prefetchSeveral(values: readonly unknown[], read: (numbers: string[]) => Promise<void>): Promise<void> {
  const distinct = uniqueNames(values);
  if (distinct.length > 1) await read(distinct);
}
