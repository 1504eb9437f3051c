import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';
import { sql } from 'kysely';
import { runInScope } from '../src/database/connect.ts';
import { userTables } from '../src/modules.ts';
import { agentColumnsOf } from '../src/domains/people/user/user-move.store.ts';
import type { TestOperator } from './factories.ts';
import { type TestServer, call } from './server.ts';

const agentColumns = agentColumnsOf(userTables);

/** The accounts of the agents that own a user's rows, for each agent column that follows the user. */
export async function fetchOwningAgents(server: TestServer, userId: number): Promise<Record<string, string[]>> {
  const parts = agentColumns.map(
    ({ table, user, agent }) => sql`
      select ${sql.lit(`${table}.${agent}`)} as name, array_agg(distinct g.account) as agents
      from ${sql.table(table)} t join agent g on g.id = ${sql.ref(`t.${agent}`)} where ${sql.ref(`t.${user}`)} = ${userId}`,
  );
  const rows = await server.query(sql<{ name: string; agents: string[] }>`${sql.join(parts, sql` union all `)}`);
  return Object.fromEntries(rows.map(({ name, agents }) => [name, agents]));
}

/**
 * Every list and read that shows an operator a word, and every table in which row-level security shows it the user's
 * rows.
 */
export async function findPlacesShowing(
  server: TestServer,
  { id, token }: TestOperator,
  word: string,
  userId: number,
): Promise<string[]> {
  const visible: string[] = [];
  const reads = Object.values<Record<string, CallSpec>>(nouns)
    .flatMap((noun) => Object.values(noun))
    .filter(({ method }) => method === 'GET');
  for (const { path, list } of reads) {
    const input = path === 'user/balance' ? { id: userId, at: server.clock.now() } : { id: userId };
    const { code, data } = await call(server, 'GET', path, list ? { size: 200 } : input, { token });
    const isShown = path === 'user/asset' || path === 'user/balance' || JSON.stringify(data).includes(word);
    if (code === 200 && isShown) visible.push(path);
  }
  for (const table of new Set([...agentColumns.map((column) => column.table), 'audit'])) {
    const userColumn = sql.ref(table === 'users' ? 't.id' : 't.user_id');
    const { rows } = await runInScope(server.app.requests, { kind: 'agents', ids: [id] }, id, (db) =>
      sql`select 1 from ${sql.table(table)} t where ${userColumn} = ${userId} limit 1`.execute(db),
    );
    if (rows.length > 0) visible.push(table);
  }
  return visible;
}

/** Counts and sums of the whole house, which a move must not change. */
export async function fetchTotals(server: TestServer, admin: string): Promise<unknown[]> {
  const lists = [
    'user/list',
    'recharge/list',
    'withdraw/list',
    'fund/record',
    'internalTransfer/list',
    'approval/list',
    'trade/order/list',
    'trade/fill/list',
    'follow/list',
    'future/order/list',
    'future/open/history',
    'future/close/history',
  ];
  const sums = await Promise.all(
    lists.map(async (path) => {
      const { data } = await call<{ total: number; summary: object }>(server, 'GET', path, {}, { token: admin });
      return [path, data.total, data.summary];
    }),
  );
  const balances = await server.query(sql`select id, balance from account order by id`);
  return [...sums, (await call(server, 'GET', 'state', {}, { token: admin })).data, balances];
}
