import type { PolicyName } from '@hengtai/contract/approval';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../src/db/connect.ts';
import type { TestServer } from './server.ts';

/** Test setup and inspection as the owner of the database. */

/** Sets a policy: 0 off, 1 always, 2 above `amount` in USDT. */
export async function setPolicy(server: TestServer, policy: PolicyName, mode: 0 | 1 | 2, amount = '0'): Promise<void> {
  await server.query(
    sql`update config set state = ${mode}, num = ${amount}::numeric where key = ${`policy.${policy}`}`,
  );
}

export interface SeenEntry {
  owner: string;
  bucket: string;
  type: number;
  amount: string;
  balance: string;
}

/** Entries of one request in posting order. */
export const entriesOf = (server: TestServer, refId: number, refType = 'withdraw'): Promise<SeenEntry[]> =>
  server.query(sql<SeenEntry>`
    select a.owner, e.bucket, e.type, e.amount, e.balance from entry e join account a on a.id = e.account_id
    where e.ref_type = ${refType} and e.ref_id = ${refId} order by e.id`);

/** Like `entriesOf`, as "owner bucket type amount". */
export const movesOf = async (server: TestServer, refId: number): Promise<string[]> =>
  (await entriesOf(server, refId)).map(({ owner, bucket, type, amount }) => `${owner} ${bucket} ${type} ${amount}`);

export interface SeenPayout {
  id: number;
  state: number;
  data: { attempt: number; amount: string };
}

export const payoutsOf = (server: TestServer, withdrawId: number): Promise<SeenPayout[]> =>
  server.query(sql<SeenPayout>`
    select id, state, data from command where type = 'withdraw.payout' and ref_id = ${withdrawId} order by id`);

export interface SeenAudit {
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
export const auditOf = (
  server: TestServer,
  of: { requestId: string } | { targetType: string; targetId: number },
): Promise<SeenAudit[]> =>
  server.query(sql<SeenAudit>`
    select id, operator, action, result, target_type as "targetType", target_id as "targetId", before, after, reason,
      approval_id as "approvalId"
    from audit where ${'requestId' in of ? sql`request_id = ${of.requestId}` : sql`target_type = ${of.targetType} and target_id = ${of.targetId}`}
    order by id`);

/** Hashes everything that an action can change: money, withdrawals, approvals and commands. */
export async function fingerprint(server: TestServer): Promise<string> {
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
export async function deadlocksIn(server: TestServer): Promise<number> {
  const [row] = await server.query(sql<{ n: number }>`
    select deadlocks as n from pg_stat_database where datname = current_database()`);
  return row?.n ?? 0;
}

/** Number of connections of this database that wait for a lock. */
const blockedIn = async (server: TestServer): Promise<number> =>
  (
    await server.query(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;

/** Resolves once at least `many` connections of this database wait for a lock. */
export const untilBlocked = (server: TestServer, many = 1): Promise<void> =>
  expect.poll(() => blockedIn(server)).toBeGreaterThanOrEqual(many);

/**
 * Runs work in a transaction of the owner and commits only when every call of `starts` is blocked by a lock.
 *
 * @param starts started one after the other, each when all earlier ones wait for a lock
 */
export async function meanwhile<T>(
  server: TestServer,
  held: (tx: Db) => Promise<unknown>,
  ...starts: (() => Promise<T>)[]
): Promise<T[]> {
  const begun: Promise<T>[] = [];
  await server.owner.transaction().execute(async (tx) => {
    await held(tx);
    for (const start of starts) {
      begun.push(start());
      await untilBlocked(server, begun.length);
    }
  });
  return Promise.all(begun);
}

/** Commands about one user, in order. */
export const userCommandsOf = (server: TestServer, userId: number): Promise<{ type: string; data: object }[]> =>
  server.query(sql<{ type: string; data: object }>`
    select type, data from command where ref_type = 'user' and ref_id = ${userId} order by id`);
