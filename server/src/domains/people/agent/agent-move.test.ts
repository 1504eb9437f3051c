// @module-tag full
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  PASSWORD,
  type TestOperator,
  findUser,
  makeOperator,
  makeUser,
  makeWithdraw,
} from '../../../../test/factories.ts';
import { addSignal, followOpened as followed } from '../../../../test/follow.ts';
import { fundingPaid, openPosition, positionClosed, positionOpened, positionPlaced } from '../../../../test/future.ts';
import { kycSubmission } from '../../../../test/identity.ts';
import { openContract as openBinaryContract } from '../../../../test/binary-contract.ts';
import { orderFilled, placeOrder } from '../../../../test/spot.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';

const USERS = 10_000;

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());

const post = async (path: string, input: object): Promise<void> => {
  const { code, msg } = await call(server, 'POST', path, input, { token: admin });
  if (code !== 200 && code !== 202) throw new Error(`${path}: ${code} ${msg}`);
};

/** Creates a user with a row in every table of users' rows. */
async function makeBusyUser(agent: string): Promise<number> {
  const account = await makeUser(server, { agent, amount: '100' });
  const other = await makeUser(server, { agent });
  const no = unique('R');
  const credit = {
    no,
    account,
    market: 'USDT',
    network: 'TRC20',
    address: 'A',
    amount: '1000',
    confirmations: 1,
    source: 1,
  };
  const transfer = {
    no: unique('T'),
    account,
    toAccount: other,
    market: 'USDT',
    platform: 1,
    toPlatform: 1,
    amount: '1',
  };
  await apply(
    server,
    { type: 'recharge.credited', data: credit },
    { type: 'transfer.made', data: transfer },
    { type: 'user.login', data: { account, ip: '203.0.113.7' } },
    { type: 'user.credential', data: { account, kind: 'otp' } },
    { type: 'auth.submitted', data: kycSubmission(account) },
    { type: 'message.received', data: { no: unique('M'), account, text: '你好' } },
    { type: 'transfer.made', data: { ...transfer, no: unique('T'), toAccount: account, toPlatform: 2, amount: '20' } },
    { type: 'ieo.ordered', data: { no: unique('I'), account, market: 'HTT', price: '1', amount: '5' } },
    { type: 'transfer.made', data: { ...transfer, no: unique('T'), toAccount: account, toPlatform: 3, amount: '20' } },
    { type: 'transfer.made', data: { ...transfer, no: unique('T'), toAccount: account, toPlatform: 4, amount: '10' } },
  );
  const position = await openPosition(server, account, { amount: '2', margin: '2' });
  await apply(server, positionClosed(position, '1'), fundingPaid(position, '-0.1'));
  const inParts = unique('P');
  await apply(
    server,
    positionPlaced(account, { no: inParts, amount: '2', margin: '2' }),
    { type: 'position.opened', data: { ...positionOpened(inParts).data, amount: '1' } },
    {
      type: 'balance.adjusted',
      data: { no: unique('A'), batch: 'B', kind: 2, account, market: 'HTT', platform: 1, amount: '1', reason: '空投' },
    },
  );
  await apply(server, followed(account, (await addSignal(server, admin)).no, '10'));
  await openBinaryContract(server, account, { amount: '10', seconds: 300 });
  const order = await placeOrder(server, account);
  await apply(server, orderFilled(order, '0.5'));
  const { id } = await findUser(server, admin, account);
  await makeWithdraw(server, admin, account, { amount: '10' });
  const failed = await makeWithdraw(server, admin, account, { amount: '900' });
  await post('withdraw/pass', { id: failed.id });
  await apply(server, { type: 'withdraw.failed', data: { no: failed.no } });
  await post('withdraw/refund', { id: failed.id, reason: '退回' });
  // The user no longer has the full amount, so the shortfall raises an alarm.
  await apply(server, { type: 'recharge.reversed', data: { no } });
  const adjustment = { userId: id, marketId: 1, platform: 1, amount: '1', state: 0, reason: '调整' };
  await post('asset/active/add', adjustment);
  const [entry] = await server.query(sql<{ id: number }>`select max(id) as id from entry where user_id = ${id}`);
  await post('fund/record/state/check', { id: entry?.id });
  await post('user/note/add', { id, text: '备注' });
  await post('user/token', { id });
  await post('user/group/save', { name: unique('G'), forAgents: true });
  const [group] = await server.query(sql<{ id: number }>`select max(id) as id from user_group`);
  await post('user/group/assign', { id, groupId: group?.id });
  return id;
}

/** Adds `USERS` copies of the busy user, each with a copy of its first withdrawal and recharge. */
async function multiply(busy: number): Promise<void> {
  const columns = async (table: string): Promise<string[]> =>
    (
      await server.query(sql<{ name: string }>`
        select column_name::text as name from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'
          and column_name not in ('id', 'no', 'account', 'user_id')`)
    ).map(({ name }) => name);
  const columnList = async (table: string) => sql.join((await columns(table)).map((name) => sql.ref(name)));
  const userColumns = await columnList('users');
  await server.query(sql`insert into users (account, ${userColumns})
    select 'many.' || n, ${userColumns} from users, generate_series(1, ${USERS}) n where id = ${busy}`);
  for (const table of ['withdraw', 'recharge']) {
    const tableColumns = await columnList(table);
    const source = sql.table(table);
    await server.query(sql`insert into ${source} (no, user_id, ${tableColumns})
      select 'many.' || u.id, u.id, ${tableColumns} from (select * from ${source} where user_id = ${busy} order by id limit 1) one
      cross join lateral (select x.id from users x where x.account like 'many.%') u`);
  }
}

/** Tables with rows that belong to users. */
const findUserTables = async (): Promise<string[]> =>
  (
    await server.query(sql<{ name: string }>`
      select distinct table_name::text as name from information_schema.columns
      where table_schema = 'public' and column_name in ('user_id', 'agent_id', 'to_agent_id') order by 1`)
  ).map(({ name }) => name);

/**
 * For each table the number of rows and a hash of their physical position and transaction; an update changes both.
 *
 * @param before last id of the audit rows to include
 */
async function fingerprintTables(tables: readonly string[], before: number): Promise<Record<string, string>> {
  const fingerprints: Record<string, string> = {};
  for (const name of tables) {
    const [row] = await server.query(sql<{ rows: string }>`
      select count(*) || ' ' || md5(coalesce(string_agg(ctid || ' ' || xmin, ',' order by ctid), '')) as rows
      from ${sql.table(name)} ${name === 'audit' ? sql`where id <= ${before}` : sql``}`);
    fingerprints[name] = row?.rows ?? '';
  }
  return fingerprints;
}

test('moving a subtree of 10,000 users changes no row of a user, and the next request of each session sees it', async () => {
  const abilities = [ABILITY.users, ABILITY.withdraw];
  const [from, to] = [
    await makeOperator(server, admin, { abilities }),
    await makeOperator(server, admin, { abilities }),
  ];
  const moved = await makeOperator(server, admin, { parent: from.account, abilities });
  const below = await makeOperator(server, admin, { parent: moved.account, abilities });
  await multiply(await makeBusyUser(below.account));
  const all = USERS + 2;

  const total = async ({ token }: Pick<TestOperator, 'token'>, path: string): Promise<number> =>
    (await call<Page<unknown>>(server, 'GET', path, { size: 1 }, { token })).data.total;
  const totalsOf = async (operator: Pick<TestOperator, 'token'>) =>
    Promise.all(['user/list', 'withdraw/list', 'recharge/list'].map((path) => total(operator, path)));
  const allTotals = [all, USERS + 2, USERS + 2];
  expect(await Promise.all([from, to, moved, below].map(totalsOf))).toEqual([
    allTotals,
    [0, 0, 0],
    allTotals,
    allTotals,
  ]);

  const tables = await findUserTables();
  const [last] = await server.query(sql<{ id: number }>`select max(id) as id from audit`);
  const before = await fingerprintTables(tables, last?.id ?? 0);
  // An empty table would prove nothing.
  expect(Object.entries(before).filter(([, rows]) => rows.startsWith('0 '))).toEqual([]);
  const input = { id: moved.id, parent: to.account };
  expect(await call(server, 'POST', 'agent/parent/change', input, { token: admin })).toMatchObject({ code: 200 });

  expect(await Promise.all([from, to, below].map(totalsOf))).toEqual([[0, 0, 0], allTotals, allTotals]);
  // Only the moved agent itself has to log in again.
  expect(await call(server, 'GET', 'user/list', {}, { token: moved.token })).toMatchObject({ code: 400 });
  expect(await totalsOf({ token: await login(server, moved.account, PASSWORD) })).toEqual(allTotals);
  expect(await fingerprintTables(tables, last?.id ?? 0)).toEqual(before);
});
