import type { LedgerEntryRow, LedgerEntrySum } from '@hengtai/contract/funds/ledger-entry/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { waitUntilBlocked } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';

const server = provideServer();
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});

const list = async (input: object) =>
  await fetchData<Page<LedgerEntryRow, LedgerEntrySum>>(server, admin, 'fund/record', { size: 200, ...input });
const mark = (name: 'check' | 'doubt' | 'reset', id: number) =>
  call<LedgerEntryRow>(server, 'POST', `fund/record/state/${name}`, { id }, { token: admin });

describe('fund/record', () => {
  test('lists every entry of a user with the balance after it', async () => {
    const account = await makeUser(server, { amount: '500' });
    const withdraw = await makeWithdraw(server, admin, account, { amount: '100' });
    await call(server, 'POST', 'withdraw/reject', { id: withdraw.id, reason: 'no' }, { token: admin });
    const { list: rows, total, summary } = await list({ account });
    expect(total).toBe(5);
    expect(
      rows.map(({ type, bucket, amount, balance, refType, operator }) => [
        type,
        bucket,
        amount,
        balance,
        refType,
        operator,
      ]),
    ).toEqual([
      [10, 'active', '100', '500', 'withdraw', 'admin'],
      [10, 'frozen', '-100', '0', 'withdraw', 'admin'],
      [9, 'frozen', '100', '100', 'withdraw', null],
      [9, 'active', '-100', '400', 'withdraw', null],
      [1, 'active', '500', '500', 'recharge', null],
    ]);
    expect(summary).toEqual([{ marketId: 1, marketName: 'USDT', count: 5, amount: '500', in: '700', out: '200' }]);
    expect((await list({ account, bucket: 'frozen' })).total).toBe(2);
    expect((await list({ account, type: 1 })).total).toBe(1);
  });

  test('does not list entries of system accounts', async () => {
    await makeUser(server, { amount: '1' });
    const [{ house } = { house: 0 }] = await server.query(
      sql<{ house: number }>`select count(*) as house from entry where user_id is null`,
    );
    expect(house).toBeGreaterThan(0);
    const { total } = await list({});
    const [{ users } = { users: 0 }] = await server.query(
      sql<{ users: number }>`select count(*) as users from entry where user_id is not null`,
    );
    expect(total).toBe(users);
  });
});

describe('fund/record/state', () => {
  test('moves between open, checked and doubtful and does not change the entry', async () => {
    const account = await makeUser(server, { amount: '7' });
    const id = (await list({ account })).list[0]?.id ?? 0;
    const entry = () => server.query(sql`select * from entry where id = ${id}`);
    const before = await entry();
    expect(await mark('check', id)).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await mark('check', id)).toMatchObject({ code: 200, data: { state: 1 } });
    expect((await list({ account, state: 1 })).total).toBe(1);
    expect((await list({ account, state: 0 })).total).toBe(0);
    expect(await mark('doubt', id)).toMatchObject({ code: 200, data: { state: 2 } });
    expect(await mark('reset', id)).toMatchObject({ code: 200, data: { state: 0 } });
    expect(await mark('reset', id)).toMatchObject({ code: 200, data: { state: 0 } });
    expect((await list({ account, state: 0 })).total).toBe(1);
    expect(await entry()).toEqual(before);
  });

  test('marked entries are found by every other filter too', async () => {
    const account = await makeUser(server, { amount: '500' });
    const withdraw = await makeWithdraw(server, admin, account, { amount: '100' });
    await call(server, 'POST', 'withdraw/reject', { id: withdraw.id, reason: 'no' }, { token: admin });
    const before = (await list({ account })).list;
    for (const { id } of before) expect(await mark('doubt', id)).toMatchObject({ code: 200 });
    const unmarked = (rows: LedgerEntryRow[]) =>
      rows.map(({ state: _state, operator: _by, updatedAt: _at, ...row }) => row);
    for (const { type, bucket, platform, marketId, createdAt } of before) {
      const input = { account, type, bucket, platform, marketId, from: createdAt, to: createdAt };
      const expected = before.filter(
        (row) => row.type === type && row.bucket === bucket && row.createdAt === createdAt,
      );
      const found = await list({ ...input, state: 2 });
      expect(unmarked(found.list)).toEqual(unmarked(expected));
      expect(found.total).toBe(expected.length);
      const amount = expected.reduce((sum, row) => sum + Number(row.amount), 0);
      expect(found.summary).toMatchObject([{ marketId, count: expected.length, amount: `${amount}` }]);
      for (const state of [0, 1]) expect((await list({ ...input, state })).total).toBe(0);
    }
    const others = [{ type: 3 }, { platform: 2 }, { marketId: 2 }, { to: 1 }];
    for (const input of others) expect((await list({ account, state: 2, ...input })).list).toEqual([]);
  });

  test('a concurrent mark of another operator wins', async () => {
    const account = await makeUser(server, { amount: '7' });
    const row = (await list({ account })).list[0];
    const id = row?.id ?? 0;
    // The other mark is not committed yet, so the call loads the entry as open and waits at its own insert.
    const raceWithOtherMark = () =>
      server.owner.transaction().execute(async (tx) => {
        await sql`insert into fund_check (entry_id, user_id, agent_id, state, operator_id, updated_at, market_id, platform, bucket, type, amount, created_at)
        select id, user_id, agent_id, 1, 1, 0, market_id, platform, bucket, type, amount, created_at from entry where id = ${id}`.execute(
          tx,
        );
        const answer = mark('check', id);
        await waitUntilBlocked(server);
        return { answer };
      });
    expect(await (await raceWithOtherMark()).answer).toMatchObject({
      code: 200,
      data: { state: 1 },
    });
    const audits = await server.query(
      sql<{ after: object }>`select after from audit where action = 'fund.check' and target_id = ${id}`,
    );
    expect(audits).toEqual([{ after: { unchanged: true } }]);
  });

  test('marks once when ten equal calls race', async () => {
    const account = await makeUser(server, { amount: '7' });
    const id = (await list({ account })).list[0]?.id ?? 0;
    const codes = (await Promise.all(Array.from({ length: 10 }, () => mark('check', id)))).map(({ code }) => code);
    expect(codes).toEqual(Array(10).fill(200));
    const audits = await server.query(
      sql`select 1 from audit where action = 'fund.check' and target_id = ${id} and before is not null`,
    );
    expect(audits).toHaveLength(1);
  });
});

describe('internalTransfer/list', () => {
  test('finds a transfer by its sender and by its receiver', async () => {
    const from = await makeUser(server, { amount: '20' });
    const to = await makeUser(server);
    const no = unique('T');
    const data = { no, account: from, toAccount: to, market: 'USDT', platform: 1, toPlatform: 2, amount: '12.5' };
    await apply(server, { type: 'transfer.made', data });
    const find = (input: object) => call<Page<object>>(server, 'GET', 'internalTransfer/list', input, { token: admin });
    const expected = { no, account: from, toAccount: to, platform: 1, toPlatform: 2, amount: '12.5', state: 1 };
    expect((await find({ account: from })).data.list).toMatchObject([expected]);
    expect((await find({ toAccount: to })).data.list).toMatchObject([expected]);
  });
});
