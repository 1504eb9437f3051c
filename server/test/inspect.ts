import type { PolicyName } from '@hengtai/contract/authority/actions';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../src/database/connect.ts';
import type { TestServer } from './server.ts';

/** Test setup and inspection as the owner of the database. */

/** Sets a policy: 0 off, 1 always, 2 above `amount` in USDT. */
export async function setPolicy(server: TestServer, policy: PolicyName, mode: 0 | 1 | 2, amount = '0'): Promise<void> {
  await server.query(
    sql`update config set state = ${mode}, num = ${amount}::numeric where key = ${`policy.${policy}`}`,
  );
}

export interface EntryRow {
  owner: string;
  bucket: string;
  type: number;
  amount: string;
  balance: string;
}

/** Entries of one request in posting order. */
export const fetchRequestEntries = (server: TestServer, refId: number, refType = 'withdraw'): Promise<EntryRow[]> =>
  server.query(sql<EntryRow>`
    select a.owner, e.bucket, e.type, e.amount, e.balance from entry e join account a on a.id = e.account_id
    where e.ref_type = ${refType} and e.ref_id = ${refId} order by e.id`);

/** Like `fetchRequestEntries`, as "owner bucket type amount". */
export const describeEntries = async (server: TestServer, refId: number): Promise<string[]> =>
  (await fetchRequestEntries(server, refId)).map(
    ({ owner, bucket, type, amount }) => `${owner} ${bucket} ${type} ${amount}`,
  );

export interface PayoutRow {
  id: number;
  state: number;
  data: { attempt: number; amount: string };
}

export const fetchPayouts = (server: TestServer, withdrawId: number): Promise<PayoutRow[]> =>
  server.query(sql<PayoutRow>`
    select id, state, data from command where type = 'withdraw.payout' and ref_id = ${withdrawId} order by id`);

export interface AuditRecord {
  id: number;
  operator: string | null;
  action: string;
  result: number;
  targetType: string | null;
  targetId: number | null;
  before: unknown;
  after: unknown;
  reason: string;
  approvalId: number | null;
}

/** Audit rows of one request or one target, in order. */
export const fetchAuditRows = (
  server: TestServer,
  filter: { requestId: string } | { targetType: string; targetId: number },
): Promise<AuditRecord[]> =>
  server.query(sql<AuditRecord>`
    select id, operator, action, result, target_type as "targetType", target_id as "targetId", before, after, reason,
      approval_id as "approvalId"
    from audit where ${'requestId' in filter ? sql`request_id = ${filter.requestId}` : sql`target_type = ${filter.targetType} and target_id = ${filter.targetId}`}
    order by id`);

/** Hashes everything that an action can change: money, withdrawals, approvals and commands. */
export async function hashMoneyState(server: TestServer): Promise<string> {
  const rows = await server.query(sql<{ print: string }>`
    select md5(concat_ws('|',
      (select string_agg(concat_ws(',', id, balance), ';' order by id) from account),
      (select string_agg(concat_ws(',', id, amount, released), ';' order by id) from hold),
      (select string_agg(md5(w::text), ';' order by id) from withdraw w),
      (select string_agg(md5(a::text), ';' order by id) from approval a),
      (select concat_ws(',', count(*), max(id)) from entry), (select count(*) from leg), (select count(*) from transfer),
      (select string_agg(concat_ws(',', id, type, data), ';' order by id) from command),
      (select count(*) from policy_use))) as print`);
  return rows[0]?.print ?? '';
}

/** Number of deadlocks in this database. A race with a consistent lock order has none. */
export async function countDeadlocks(server: TestServer): Promise<number> {
  const [row] = await server.query(sql<{ n: number }>`
    select deadlocks as n from pg_stat_database where datname = current_database()`);
  return row?.n ?? 0;
}

/** Number of connections of this database that wait for a lock. */
const countBlocked = async (server: TestServer): Promise<number> =>
  (
    await server.query(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;

/** Resolves once at least `count` connections of this database wait for a lock. */
export const waitUntilBlocked = (server: TestServer, count = 1): Promise<void> =>
  expect.poll(() => countBlocked(server)).toBeGreaterThanOrEqual(count);

/**
 * Runs work in a transaction of the owner and commits only when every call of `blockedCalls` waits for a lock.
 *
 * @param blockedCalls started one after the other, each when all earlier ones wait for a lock
 */
export async function runWhileLocked<T>(
  server: TestServer,
  takeLock: (tx: Db) => Promise<unknown>,
  ...blockedCalls: (() => Promise<T>)[]
): Promise<T[]> {
  const results: Promise<T>[] = [];
  await server.owner.transaction().execute(async (tx) => {
    await takeLock(tx);
    for (const start of blockedCalls) {
      results.push(start());
      await waitUntilBlocked(server, results.length);
    }
  });
  return Promise.all(results);
}

/** Commands about one user, in order. */
export const fetchUserCommands = (server: TestServer, userId: number): Promise<{ type: string; data: object }[]> =>
  server.query(sql<{ type: string; data: object }>`
    select type, data from command where ref_type = 'user' and ref_id = ${userId} order by id`);
