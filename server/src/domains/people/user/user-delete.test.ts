import type { Page } from '@hengtai/contract/wire/list';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import type { UserDeleted, UserDetail, UserOpen, UserRow } from '@hengtai/contract/people/user/schema';
import { rechargeStates } from '@hengtai/contract/funds/recharge/facts';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../../../test/address.ts';
import { findUser, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import {
  fetchAuditRows,
  countDeadlocks,
  runWhileLocked,
  setPolicy,
  fetchUserCommands,
} from '../../../../test/inspect.ts';
import {
  type ApiResponse,
  type TestServer,
  apply,
  call,
  login,
  send,
  testServer,
  unique,
} from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { checkLedger } from '../../../books/ledger/check.ts';
import { findHoldDiscrepancies } from '../../../books/ledger/hold-check.ts';
import { AccountClosed, post as transfer } from '../../../books/ledger/post.ts';
import { creditLegs } from '../../funds/recharge/recharge.rules.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkLedger(server.owner)).toEqual([]);
  // Withdrawals of these tests are inserted without a hold.
  const holds = await findHoldDiscrepancies(server.owner);
  expect(holds.filter(({ refType }) => refType !== 'withdraw')).toEqual([]);
  const rich = await server.query(
    sql`select 1 from users u join account a on a.user_id = u.id where u.deleted_at is not null and a.balance <> 0`,
  );
  expect(rich).toEqual([]);
  await server.stop();
});

const del = <T = UserDeleted>(id: number): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', 'user/del', { id, reason: '销户' }, { token: admin });
const expectRefusal = async (id: number): Promise<UserOpen[]> => {
  const answer = await del<UserOpen[]>(id);
  expect(answer.code).toBe(409);
  for (const { text } of answer.data) expect(answer.msg).toContain(text);
  return answer.data;
};
const newUser = async (amount?: string): Promise<UserRow> =>
  findUser(server, admin, await makeUser(server, amount === undefined ? {} : { amount }));
const credited = (account: string, market = 'USDT') => ({
  type: 'recharge.credited',
  data: {
    no: unique('R'),
    account,
    market,
    ...onTron('in'),
    amount: '5',
    confirmations: 20,
    source: 1,
  },
});
/** Creates a user whose account exists and has a zero balance. */
async function newUserWithEmptyAccount(): Promise<UserRow> {
  const user = await newUser('5');
  const data = { account: user.account, toAccount: await makeUser(server), market: 'USDT', amount: '5' };
  await apply(server, { type: 'transfer.made', data: { no: unique('T'), platform: 1, toPlatform: 1, ...data } });
  return user;
}

describe('user/del', () => {
  test('removes the user from the lists and keeps its records', async () => {
    const user = await newUserWithEmptyAccount();
    const answer = await del(user.id);
    expect(answer).toMatchObject({
      code: 200,
      data: { id: user.id, account: user.account, deletedAt: expect.any(Number) },
    });
    const listed = await call<Page<UserRow>>(server, 'GET', 'user/list', { account: user.account }, { token: admin });
    expect(listed.data).toMatchObject({ total: 0 });
    for (const path of ['user/detail', 'user/asset'])
      expect(await call(server, 'GET', path, { id: user.id }, { token: admin })).toMatchObject({ code: 404 });
    const recharges = await call<Page<RechargeRow>>(
      server,
      'GET',
      'recharge/list',
      { account: user.account },
      { token: admin },
    );
    expect(recharges.data).toMatchObject({ total: 1, list: [{ account: user.account, state: 1 }] });
    expect(await fetchUserCommands(server, user.id)).toMatchObject([
      { type: 'user.deleted', data: { account: user.account, state: 1, winType: 0, winRate: null } },
    ]);
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { action: 'user.del', targetId: user.id, reason: '销户', before: { account: user.account, agent: 'admin' } },
    ]);
    expect(await del(user.id)).toMatchObject({ code: 404 });
  });

  test('keeps the account name reserved', async () => {
    const user = await newUser();
    expect(await del(user.id)).toMatchObject({ code: 200 });
    const again = { account: user.account.toUpperCase(), password: 'some-password' };
    expect(await call(server, 'POST', 'user/add', again, { token: admin })).toMatchObject({ code: 409 });
    const [answer] = await send(server, { type: 'user.registered', data: { account: user.account } });
    expect(answer).toMatchObject({ result: 'rejected', reason: 'exists' });
  });

  test('refuses while an account has an available or frozen balance', async () => {
    const user = await newUser('12.5');
    expect(await expectRefusal(user.id)).toEqual([{ what: 'balance', text: '资金账户 USDT 可用 12.5' }]);
    const { no } = await makeWithdraw(server, admin, user.account, { amount: '12.5' });
    expect(await expectRefusal(user.id)).toEqual([
      { what: 'balance', text: '资金账户 USDT 冻结 12.5' },
      { what: 'withdraw', text: `提现 ${no}（12.5 USDT，待审核）` },
    ]);
    const { data } = await call<UserDetail>(server, 'GET', 'user/detail', { id: user.id }, { token: admin });
    expect(data).toMatchObject({ deletable: false, open: [{ what: 'balance' }, { what: 'withdraw' }] });
    expect(await findUser(server, admin, user.account)).toMatchObject({ id: user.id });
  });

  test.each(Object.keys(withdrawStates).map(Number))(
    'refuses only if a withdrawal is open (state %i)',
    async (state) => {
      const user = await newUser();
      const what = { account: user.account, market: 'USDT', ...onTron('any'), amount: '7', fee: '1' };
      await apply(server, { type: 'withdraw.imported', data: { no: unique('W'), ...what, state: 4 } });
      await server.query(sql`update withdraw set state = ${state} where user_id = ${user.id}`);
      if ([0, 1, 2, 3, 7, 8].includes(state))
        expect(await expectRefusal(user.id)).toMatchObject([{ what: 'withdraw' }]);
      else expect(await del(user.id)).toMatchObject({ code: 200 });
    },
  );

  test.each(Object.keys(rechargeStates).map(Number))('refuses only if a recharge is open (state %i)', async (state) => {
    const user = await newUser();
    const { data } = credited(user.account);
    await apply(server, { type: 'recharge.detected', data });
    await server.query(sql`update recharge set state = ${state} where user_id = ${user.id}`);
    if ([0, 3].includes(state)) expect(await expectRefusal(user.id)).toMatchObject([{ what: 'recharge' }]);
    else expect(await del(user.id)).toMatchObject({ code: 200 });
  });

  test('refuses while an approval is open', async () => {
    const user = await newUser();
    await setPolicy(server, 'user.second', 1);
    const input = { id: user.id, winType: 1, winRate: '80' };
    const approval = await call<{ id: number }>(server, 'POST', 'user/second/change', input, { token: admin });
    await setPolicy(server, 'user.second', 0);
    const text = `待复核审批 #${approval.data.id}（设置收益率档位）`;
    expect(await expectRefusal(user.id)).toEqual([{ what: 'approval', text }]);
  });

  test('lists twenty items of a kind and counts the rest', async () => {
    const user = await newUser();
    const events = Array.from({ length: 23 }, () => credited(user.account));
    await apply(server, ...events.map(({ data }) => ({ type: 'recharge.detected', data })));
    const open = await expectRefusal(user.id);
    expect(open).toHaveLength(21);
    expect(open.at(-1)).toEqual({ what: 'recharge', text: '另有 3 项充值' });
  });
});

describe('a deletion that races with a credit', () => {
  test('is refused if the credit came first', async () => {
    const user = await newUser();
    const answers = await runWhileLocked<unknown>(
      server,
      (tx) => sql`select 1 from market where market_name = 'USDT' for update`.execute(tx),
      () => send(server, credited(user.account)),
      () => del(user.id),
    );
    expect(answers).toMatchObject([
      [{ result: 'applied' }],
      { code: 409, data: [{ what: 'balance', text: '资金账户 USDT 可用 5' }] },
    ]);
  });

  test('rejects the credit if the deletion came first', async () => {
    const user = await newUserWithEmptyAccount();
    const [deleted, answered] = await runWhileLocked<ApiResponse<UserDeleted> | EventAnswer[]>(
      server,
      (tx) => sql`select 1 from account where user_id = ${user.id} for update`.execute(tx),
      () => del(user.id),
      () => send(server, credited(user.account)),
    );
    expect(deleted).toMatchObject({ code: 200 });
    expect(answered).toMatchObject([{ result: 'rejected', reason: 'unknown: account' }]);
  });

  test('waits for a posting that locks only the account', async () => {
    const user = await newUserWithEmptyAccount();
    const [answer] = await runWhileLocked(
      server,
      (tx) => sql`update account set balance = 1 where user_id = ${user.id} and bucket = 'active'`.execute(tx),
      () => del<UserOpen[]>(user.id),
    );
    expect(answer).toMatchObject({ code: 409, data: [{ what: 'balance', text: '资金账户 USDT 可用 1' }] });
    await server.query(sql`update account set balance = 0 where user_id = ${user.id}`);
  });

  test.each(['USDT', 'BTC'])('rejects a posting to a closed account in %s', async (market) => {
    const user = await newUserWithEmptyAccount();
    await del(user.id);
    const [{ id: marketId } = { id: 0 }] = await server.query(
      sql<{ id: number }>`select id from market where market_name = ${market}`,
    );
    const legs = creditLegs({ userId: user.id, agentId: 1, marketId, amount: '5' });
    const now = server.clock.now();
    const posting = inTransaction(server.app.system, (db) =>
      transfer(db, { refType: 'test', refId: 1, at: now, now }, legs),
    );
    await expect(posting).rejects.toBeInstanceOf(AccountClosed);
  });

  test('lets exactly one of the two win in twenty concurrent races, without a deadlock', async () => {
    const before = await countDeadlocks(server);
    const users = await Promise.all(Array.from({ length: 20 }, newUserWithEmptyAccount));
    await Promise.all(
      users.map(async (user, index) => {
        const both = [() => del(user.id), () => send(server, credited(user.account, index % 2 ? 'USDT' : 'ETH'))];
        const [first, second] = await Promise.all((index % 3 ? both : both.toReversed()).map((start) => start()));
        const [deleted, event] = (index % 3 ? [first, second] : [second, first]) as [ApiResponse, EventAnswer[]];
        expect([deleted.code, event[0]?.result]).toEqual(deleted.code === 200 ? [200, 'rejected'] : [409, 'applied']);
      }),
    );
    expect(await countDeadlocks(server)).toBe(before);
  });

  test('deletes once when ten deletions race', async () => {
    const user = await newUser();
    const codes = (await Promise.all(Array.from({ length: 10 }, () => del(user.id)))).map(({ code }) => code);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    expect(await fetchUserCommands(server, user.id)).toHaveLength(1);
  });

  test('rejects a credit from the chain after the deletion', async () => {
    const user = await newUser();
    await del(user.id);
    await expect(recharge(server, user.account, '5')).rejects.toThrow('unknown: account');
  });
});
