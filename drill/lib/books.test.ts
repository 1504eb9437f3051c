// @module-tag full
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPolicy } from '../../server/test/inspect.ts';
import { type TestServer, login, testServer } from '../../server/test/server.ts';
import { compareBooks, findDifferences } from './books.ts';
import { Acknowledged, Load, userAt } from './load.ts';

let server: TestServer;
let owner: Client;
const acknowledged = new Acknowledged();

beforeAll(async () => {
  server = await testServer({ jobs: false });
  await server.server.listen({ port: 0, host: '127.0.0.1' });
  await setPolicy(server, 'withdraw.pass', 0);
  const { port } = server.server.server.address() as AddressInfo;
  const load = new Load('books', port, acknowledged, server.app.platform);
  load.token = await login(server);
  await load.prepare();
  await load.recharge('recharge-1');
  await load.withdraw('withdraw-1', userAt(1), 10);
  owner = new Client({ connectionString: server.urls.owner });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await server.stop();
});

/** What the check finds after a statement that is undone again. */
async function findAfter(...statements: string[]): Promise<string[]> {
  await owner.query('begin');
  try {
    // The statements may break what the database would refuse, as a lost file or a wrong restore does.
    await owner.query(`set local session_replication_role = replica`);
    await owner.query(`select set_config('app.scope', 'all', true)`);
    for (const statement of statements) await owner.query(statement);
    return await findDifferences(owner, acknowledged);
  } finally {
    await owner.query('rollback');
  }
}

test('books that have everything that was acknowledged do not differ', async () => {
  expect(acknowledged.recharges.size).toBeGreaterThan(1);
  expect(await compareBooks(server.urls.owner, acknowledged)).toEqual([]);
});

test('a recharge or a withdrawal that is lost is found', async () => {
  expect(await findAfter(`delete from recharge where no = 'recharge-1'`)).toEqual([
    'recharge recharge-1 was acknowledged and is lost',
  ]);
  expect(await findAfter(`delete from withdraw where no = 'withdraw-1'`)).toEqual([
    'passed withdrawal withdraw-1 was acknowledged and is lost',
  ]);
});

const REF = `ref_type = 'recharge' and ref_id = (select id from recharge where no = 'recharge-1')`;

test('a recharge without its transfer, or with two, is found', async () => {
  expect(await findAfter(`delete from transfer where ${REF}`)).toEqual([
    'recharge recharge-1 was acknowledged and is lost',
  ]);
  const twice = `insert into transfer (ref_type, ref_id, created_at, recorded_at)
    select ref_type, ref_id, created_at, recorded_at from transfer where ${REF}`;
  expect(await findAfter(twice)).toEqual(['1 transfers of a recharge are doubled']);
});

test('what was not acknowledged, and a balance that differs, are found', async () => {
  expect(await findAfter(`update recharge set no = 'other' where no = 'recharge-1'`)).toEqual([
    'recharge recharge-1 was acknowledged and is lost',
    'recharge other exists and was not acknowledged',
  ]);
  const change = (change: string): string => `update account set balance = balance ${change}
    where bucket = 'active' and user_id = (select id from users where account = '${userAt(0)}')`;
  expect(await findAfter(change('- 1'))).toEqual([
    `balance of ${userAt(0)}: {"active":"1000000","frozen":"0"} instead of {"active":"1000001","frozen":"0"}`,
  ]);
  expect(await findAfter(change('* 0'))).toHaveLength(1);
});
