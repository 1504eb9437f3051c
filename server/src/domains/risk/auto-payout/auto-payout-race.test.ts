// @module-tag full
// @module-tag soak
import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sized } from '../../../../../testing/level.ts';
import { tronAddress } from '../../../../test/address.ts';
import { saveBudget } from '../../../../test/auto-payout.ts';
import { makeUser } from '../../../../test/factories.ts';
import { type OtherProcess, startOtherProcess } from '../../../../test/other-process.ts';
import { makeRule } from '../../../../test/rules.ts';
import { type TestServer, apply, login, testServer, unique } from '../../../../test/server.ts';

const SERVERS = sized({ full: 2, long: 4 });
const ROUNDS = sized({ full: 4, long: 40 });
/** Withdrawals of a round, one of each user. */
const USERS = sized({ full: 12, long: 40 });
const AMOUNT = new Decimal('1.000000000000000001');
/** What fits into the day is one digit less than this many withdrawals. */
const HOUSE = Math.floor((ROUNDS * USERS) / 2);
const USER = ROUNDS - 1;

let server: TestServer;
let processes: OtherProcess[] = [];

beforeAll(async () => {
  server = await testServer({ jobs: false });
  processes = await Promise.all(Array.from({ length: SERVERS }, () => startOtherProcess(server)));
}, 120_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await server.stop();
});

const limit = (count: number): string => AMOUNT.times(count).minus('0.000000000000000001').toFixed();

test('racing servers that are killed never exceed a budget, and order each payout once', async () => {
  const token = await login(server);
  await makeRule(server, token, { actions: { points: 1 } });
  await saveBudget(server, token, { dayAmount: limit(HOUSE), userDayAmount: limit(USER) });
  const accounts = await Promise.all(Array.from({ length: USERS }, () => makeUser(server, { amount: '1000' })));
  const wallet = { market: 'USDT', network: 'TRC20', amount: AMOUNT.toFixed(), fee: '0' };
  for (let round = 0; round < ROUNDS; round += 1) {
    const victim = processes.shift();
    const replaced = startOtherProcess(server);
    await apply(
      server,
      ...accounts.map((account) => ({
        type: 'withdraw.requested',
        data: { no: unique('W'), account, address: tronAddress(unique('T')), ...wallet },
      })),
    );
    await victim?.kill();
    processes.push(await replaced);
  }
  await vi.waitFor(async () => expect(await server.query(sql`select 1 from auto_candidate limit 1`)).toEqual([]), {
    timeout: 60_000,
    interval: 100,
  });
  const [sums] = await server.query(sql<
    Record<'requested' | 'decided' | 'passed' | 'moved' | 'payouts' | 'paid', number>
  >`
    select (select count(*) from withdraw) as requested, (select count(*) from auto_decision) as decided,
      (select count(*) from auto_decision where passed) as passed,
      (select count(*) from withdraw where state = 2 and by_account = '系统' and attempt = 1) as moved,
      (select count(*) from command where type = 'withdraw.payout') as payouts,
      (select count(distinct ref_id) from command where type = 'withdraw.payout') as paid`);
  const passed = HOUSE - 1;
  const all = ROUNDS * USERS;
  expect(sums).toEqual({ requested: all, decided: all, passed, moved: passed, payouts: passed, paid: passed });
  const spent = await server.query(sql<{ kind: string; amount: string; count: number }>`
    select kind, amount, count from auto_spent`);
  const house = spent.filter(({ kind }) => kind === 'house');
  expect(house).toEqual([{ kind: 'house', amount: AMOUNT.times(passed).toFixed(), count: passed }]);
  const ofUsers = spent.filter(({ kind }) => kind === 'user');
  expect(ofUsers.filter(({ amount }) => new Decimal(amount).gt(limit(USER)))).toEqual([]);
  expect(ofUsers.reduce((sum, { count }) => sum + count, 0)).toBe(passed);
  const differing = await server.query(sql`
    select s.ref_id from auto_spent s where s.kind = 'user' and s.amount <> (
      select coalesce(sum(w.amount), 0) from withdraw w join auto_decision d on d.withdraw_id = w.id and d.passed
      where w.user_id = s.ref_id)`);
  expect(differing).toEqual([]);
}, 600_000);
