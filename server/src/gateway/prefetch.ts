import type { Db } from '../db/connect.ts';
import { prefetchPositions } from '../future/future.events.ts';
import { prefetchRecharges } from '../recharge/recharge.store.ts';
import { prefetchOrders } from '../spot/spot.store.ts';
import type { AnyEvent } from './events.ts';
import { prefetchUsers } from './lookup.store.ts';

/** Which field of an event names a row that is there already. */
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
/** What these name is not there yet, or is not a user. */
const registrations = ['user.registered', 'agent.registered'];
/** These change the user itself. */
const taking = ['auth.submitted', 'auth.imported'];

/** Reads what the events of a group name in one statement of each kind; one that is named by a single event it reads itself. */
export async function prefetchRecords(db: Db, events: readonly AnyEvent[], now: number): Promise<void> {
  const others = events.filter(({ type }) => !registrations.includes(type));
  const toTake = namesOf(others.filter(({ type }) => taking.includes(type)).map(({ data }) => data['account']));
  const toFind = namesOf(others.flatMap(({ data }) => [data['account'], data['toAccount']]));
  await prefetchUsers(db, { toTake, toFind: toFind.filter((account) => !toTake.includes(account)) });
  await many(named(events, orders), (numbers) => prefetchOrders(db, numbers));
  await many(named(events, positions), (numbers) =>
    prefetchPositions(
      db,
      events.flatMap(({ type, data }) =>
        numbers.filter((no) => no === data[positions.get(type) ?? '']).map((no) => ({ no, type })),
      ),
      now,
    ),
  );
  await many(named(events, recharges), (numbers) => prefetchRecharges(db, numbers));
}

const named = (events: readonly AnyEvent[], fields: ReadonlyMap<string, string>): unknown[] =>
  events.map(({ type, data }) => data[fields.get(type) ?? '']);

const NUMBER_MAX = 64;
/** Nothing has been checked yet: what no number can be is left to its event. */
const isNumber = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NUMBER_MAX && !value.includes('\0');

const namesOf = (values: readonly unknown[]): string[] => [...new Set(values.filter(isNumber))];

async function many(values: readonly unknown[], read: (numbers: string[]) => Promise<void>): Promise<void> {
  const distinct = namesOf(values);
  if (distinct.length > 1) await read(distinct);
}
