import type { Page } from '@hengtai/contract/wire/list';
import type { WorkRow } from '@hengtai/contract/desk/report/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { call, login, provideServer } from '../../../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});

const fetchReport = (input: object = {}, token = admin) =>
  call<Page<WorkRow>>(server, 'GET', 'report/work/list', { size: 200, ...input }, { token });
const rowOf = async (operator: string, token = admin) => (await fetchReport({ operator }, token)).data.list[0];

describe('report/work/list', () => {
  test('counts decisions with their amounts and waiting times, and refused calls', async () => {
    const operator = await makeOperator(server, admin, { abilities: [2, 3, 12] });
    const account = await makeUser(server, { agent: operator.account, amount: '900' });
    const { id: userId } = await findUser(server, admin, account);
    const requests = [];
    for (const amount of ['100', '50.5', '20']) requests.push(await makeWithdraw(server, admin, account, { amount }));
    server.clock.move(60_000);
    const [first, second, third] = requests;
    const decide = (path: string, input: object) => call(server, 'POST', path, input, { token: operator.token });
    expect(await decide('withdraw/pass', { id: first?.id })).toMatchObject({ code: 200 });
    expect(await decide('withdraw/pass', { id: second?.id })).toMatchObject({ code: 200 });
    expect(await decide('withdraw/reject', { id: third?.id, reason: 'no' })).toMatchObject({ code: 200 });
    const adjust = { userId, marketId: 1, platform: 1, state: 0, reason: 'because' };
    expect(await decide('asset/active/add', { ...adjust, amount: '7' })).toMatchObject({ code: 200 });
    expect(await decide('asset/active/add', { ...adjust, amount: '2000' })).toMatchObject({ code: 202 });
    expect(await decide('user/enable', { id: userId })).toMatchObject({ code: 404 });
    expect(await decide('user/state/disable', { id: userId })).toMatchObject({ code: 403 });
    const row = await rowOf(operator.account);
    expect(row).toMatchObject({
      operator: operator.account,
      decided: 3,
      withdrawPass: 2,
      withdrawReject: 1,
      adjust: 1,
      asked: 1,
      logins: 1,
      denied: 1,
      amounts: [
        { action: 'asset.active.add', marketName: 'USDT', amount: '7' },
        { action: 'withdraw.pass', marketName: 'USDT', amount: '150.5' },
        { action: 'withdraw.reject', marketName: 'USDT', amount: '20' },
      ],
    });
    expect(row?.median).toBeGreaterThanOrEqual(60_000);
    expect(row?.p95).toBeGreaterThanOrEqual(row?.median ?? 0);
    server.clock.move(-60_000);
  });

  test('lists the operators in scope, and needs the ability to read the audit log', async () => {
    const top = await makeOperator(server, admin, { abilities: [12] });
    const child = await makeOperator(server, admin, { parent: top.account });
    const outsider = await makeOperator(server, admin);
    const listed = (await fetchReport({}, top.token)).data.list.map(({ operator }) => operator);
    expect(listed.toSorted()).toEqual([top.account, child.account].toSorted());
    expect((await fetchReport({ operator: outsider.account }, top.token)).data.total).toBe(0);
    expect(await fetchReport({}, child.token)).toMatchObject({ code: 403 });
  });

  test('splits by day or sums the whole period, in the requested order', async () => {
    const operator = await makeOperator(server, admin, { abilities: [12] });
    server.clock.move(86_400_000);
    // The session of the day before has expired.
    admin = await login(server);
    const token = await login(server, operator.account, 'operator-password');
    const days = (await fetchReport({ operator: operator.account, split: 1 })).data.list;
    expect(days.map(({ logins }) => logins)).toEqual([1, 1]);
    expect(days[0]?.createdAt).toBeGreaterThan(days[1]?.createdAt ?? 0);
    expect((await rowOf(operator.account, token))?.logins).toBe(2);
    const counts = (await fetchReport({ sort: '-logins' })).data.list.map(({ logins }) => logins);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    // Only the days that the period touches are listed.
    const now = server.clock.now();
    expect((await fetchReport({ operator: operator.account, from: now, to: now })).data.list).toMatchObject([
      { logins: 1 },
    ]);
  });
});
