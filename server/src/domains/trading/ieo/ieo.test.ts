import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { IeoDetail, IeoRow, IeoSum } from '@hengtai/contract/trading/ieo/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { Counts } from '@hengtai/contract/desk/notify/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type TestOperator,
  fetchBalance,
  findIeo,
  makeIeo,
  makeOperator,
  makeUser,
} from '../../../../test/factories.ts';
import { fetchAuditRows, fetchRequestEntries, hashMoneyState, setPolicy } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { numberNotifications } from '../../desk/notify/notify.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;
let agent: TestOperator;
let user: string;

beforeAll(async () => {
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: [ABILITY.subscription, ABILITY.approval, ABILITY.export] });
});
beforeEach(async () => {
  await setPolicy(server, 'ieo.pass', 0);
  user = await makeUser(server, { agent: agent.account, amount: '1000' });
});

const get = <T>(path: string, input: object = {}, token = admin) => call<T>(server, 'GET', path, input, { token });
const post = <T = IeoRow>(path: string, input: object, token = admin) =>
  call<T>(server, 'POST', path, input, { token });
const commandsOf = (id: number) =>
  server.query(sql<{ type: string; data: object }>`
    select type, data from command where (ref_type = 'ieo' and ref_id = ${id}) or (ref_type = 'entry' and ref_id in (
      select e.id from entry e where e.ref_type = 'ieo' and e.ref_id = ${id})) order by id`);

describe('ieo/order/pass', () => {
  test('pays the house, credits the tokens and enqueues commands to the platform', async () => {
    const row = await makeIeo(server, admin, user);
    const answer = await post('ieo/order/pass', { id: row.id, reason: '额度充足' }, agent.token);
    expect(answer).toMatchObject({
      code: 200,
      msg: '操作成功',
      data: { id: row.id, state: 1, by: agent.account, secondBy: null, reason: '额度充足', pay: '50' },
    });
    expect(answer.data.reviewedAt).toBeGreaterThanOrEqual(row.createdAt);
    expect((await fetchRequestEntries(server, row.id, 'ieo')).slice(2)).toMatchObject([
      { owner: 'user', bucket: 'frozen', type: 23, amount: '-50', balance: '0' },
      { owner: 'subscription', bucket: 'active', type: 23, amount: '50' },
      { owner: 'subscription', bucket: 'active', type: 23, amount: '-100' },
      { owner: 'user', bucket: 'active', type: 23, amount: '100', balance: '100' },
    ]);
    expect(await fetchBalance(server, admin, user)).toEqual({ active: '950', frozen: '0' });
    expect(await fetchBalance(server, admin, user, 'HTT')).toEqual({ active: '100', frozen: '0' });
    expect(await commandsOf(row.id)).toMatchObject([
      { type: 'ieo.reviewed', data: { no: row.no, state: 1, reason: '额度充足', reasonCode: 'other' } },
      { type: 'balance.changed', data: { account: user, market: 'USDT', platform: 1, active: '950', frozen: '0' } },
      { type: 'balance.changed', data: { account: user, market: 'HTT', platform: 1, active: '100', frozen: '0' } },
    ]);
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      {
        operator: agent.account,
        action: 'ieo.pass',
        targetType: 'ieo',
        targetId: row.id,
        before: { state: 0 },
        after: { state: 1, by: agent.account, marketName: 'HTT', amount: '100', pay: '50' },
        reason: '额度充足',
      },
    ]);
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('requires the ability that agent/ieo_review grants and revokes', async () => {
    const other = await makeOperator(server, admin, { parent: agent.account });
    const theirs = await makeUser(server, { agent: other.account, amount: '100' });
    const row = await makeIeo(server, admin, theirs);
    expect((await post('ieo/order/pass', { id: row.id }, other.token)).code).toBe(403);
    await post('agent/ieo_review/open', { id: other.id });
    const token = await login(server, other.account, 'operator-password');
    await post('agent/ieo_review/close', { id: other.id });
    const closed = await login(server, other.account, 'operator-password');
    expect((await post('ieo/order/reject', { id: row.id, reason: 'no' }, closed)).code).toBe(403);
    await post('agent/ieo_review/open', { id: other.id });
    expect((await post('ieo/order/pass', { id: row.id }, token)).code).toBe(400);
    const open = await login(server, other.account, 'operator-password');
    expect((await post('ieo/order/pass', { id: row.id }, open)).code).toBe(200);
  });

  test('a late decision changes nothing and gets operator and time of the first', async () => {
    const row = await makeIeo(server, admin, user);
    const { data } = await post('ieo/order/reject', { id: row.id, reason: '认购额度已满' }, agent.token);
    const before = await hashMoneyState(server);
    for (const path of ['pass', 'reject']) {
      expect(await post(`ieo/order/${path}`, { id: row.id, reason: 'late' })).toMatchObject({
        code: 409,
        msg: '记录已被处理，当前状态：已驳回',
        data: { state: 2, by: agent.account, at: data.reviewedAt },
      });
    }
    expect(await hashMoneyState(server)).toBe(before);
  });

  test('passes a subscription of a user who may no longer subscribe', async () => {
    const row = await makeIeo(server, admin, user);
    await post('user/ieo_buy/state', { id: row.userId, state: 0 });
    expect((await post('ieo/order/pass', { id: row.id })).code).toBe(200);
  });
});

describe('ieo/order/reject', () => {
  test('returns the hold and stores the reason', async () => {
    const row = await makeIeo(server, admin, user, { price: '0.333333333333333333', amount: '3' });
    expect(row.pay).toBe('0.999999999999999999');
    expect(await post('ieo/order/reject', { id: row.id, reason: '不符合认购资格' }, agent.token)).toMatchObject({
      code: 200,
      data: { state: 2, reason: '不符合认购资格', by: agent.account },
    });
    expect(await fetchBalance(server, admin, user)).toEqual({ active: '1000', frozen: '0' });
    expect((await fetchRequestEntries(server, row.id, 'ieo')).map(({ type, amount }) => [type, amount])).toEqual([
      [21, '-0.999999999999999999'],
      [21, '0.999999999999999999'],
      [22, '-0.999999999999999999'],
      [22, '0.999999999999999999'],
    ]);
    expect(await commandsOf(row.id)).toMatchObject([
      { type: 'ieo.reviewed', data: { no: row.no, state: 2, reason: '不符合认购资格', reasonCode: 'not_eligible' } },
      { type: 'balance.changed', data: { market: 'USDT', active: '1000', frozen: '0' } },
    ]);
  });

  test('the reason is optional', async () => {
    for (const input of [{}, { reason: '' }, { reason: '  ' }]) {
      const row = await makeIeo(server, admin, user);
      expect(await post('ieo/order/reject', { id: row.id, ...input })).toMatchObject({
        code: 200,
        data: { reason: '' },
      });
    }
  });
});

test('bulk decisions return a code for each subscription', async () => {
  const rows = [
    await makeIeo(server, admin, user),
    await makeIeo(server, admin, user),
    await makeIeo(server, admin, user),
  ];
  await post('ieo/order/reject', { id: rows[1]?.id, reason: 'no' });
  const ids = [...rows.map(({ id }) => id), 999_999_999];
  const passed = await post<BulkResult>('ieo/order/pass/many', { ids, reason: '已逐条核对' }, agent.token);
  expect(passed.data.results.map(({ code }) => code)).toEqual([200, 409, 200, 404]);
  const again = await post<BulkResult>('ieo/order/reject/many', { ids: [rows[0]?.id], reason: 'no' }, agent.token);
  expect(again.data.results.map(({ code }) => code)).toEqual([409]);
  expect(await fetchBalance(server, admin, user)).toEqual({ active: '900', frozen: '0' });
  expect(await fetchBalance(server, admin, user, 'HTT')).toEqual({ active: '200', frozen: '0' });
});

describe('a checker', () => {
  test('is required if the policy says so, sees the entries and approves', async () => {
    await setPolicy(server, 'ieo.pass', 2, '49');
    const row = await makeIeo(server, admin, user);
    const { data: before } = await get<IeoDetail>('ieo/order/detail', { id: row.id });
    expect(before.approval).toEqual({ needed: true, openId: null, maker: null, checker: null, submittedAt: null });
    const request = await post<ApprovalRow>('ieo/order/pass', { id: row.id });
    expect(request).toMatchObject({
      code: 202,
      data: { type: 'ieo.pass', title: '通过认购', amount: '50', maker: 'admin' },
    });
    expect((await get<IeoDetail>('ieo/order/detail', { id: row.id })).data.approval).toMatchObject({
      openId: request.data.id,
      maker: 'admin',
    });
    expect(await findIeo(server, admin, row.no)).toMatchObject({ state: 0 });
    const shown = await get<ApprovalDetail>('approval/detail', { id: request.data.id }, agent.token);
    expect(shown.data.lines).toEqual(before.preview.pass);
    expect((await post('approval/pass', { id: request.data.id }, agent.token)).code).toBe(200);
    expect(await findIeo(server, admin, row.no)).toMatchObject({ state: 1, by: 'admin', secondBy: agent.account });
    expect((await get<IeoDetail>('ieo/order/detail', { id: row.id })).data.approval).toMatchObject({
      openId: null,
      maker: 'admin',
      checker: agent.account,
      submittedAt: request.data.createdAt,
    });
    expect(await fetchBalance(server, admin, user, 'HTT')).toEqual({ active: '100', frozen: '0' });
  });

  test('cannot approve once the subscription was rejected', async () => {
    await setPolicy(server, 'ieo.pass', 1);
    const row = await makeIeo(server, admin, user);
    const { data } = await post<ApprovalRow>('ieo/order/pass', { id: row.id });
    expect((await post('ieo/order/reject', { id: row.id, reason: '账户存在异常' }, agent.token)).code).toBe(200);
    expect((await post('approval/pass', { id: data.id }, agent.token)).code).toBe(409);
    expect(await fetchBalance(server, admin, user)).toEqual({ active: '1000', frozen: '0' });
    expect(await checkBook(server.owner)).toEqual([]);
  });
});

describe('ieo/order/list', () => {
  const idsOf = async (input: object, token = admin) =>
    (await get<Page<IeoRow>>('ieo/order/list', input, token)).data.list.map(({ id }) => id);

  test('type chooses waiting or decided subscriptions, state filters within them', async () => {
    const [waiting, passed, rejected, cancelled] = [
      await makeIeo(server, admin, user),
      await makeIeo(server, admin, user),
      await makeIeo(server, admin, user),
      await makeIeo(server, admin, user),
    ];
    await post('ieo/order/pass', { id: passed.id });
    await post('ieo/order/reject', { id: rejected.id, reason: 'no' });
    await apply(server, { type: 'ieo.cancelled', data: { no: cancelled.no } });
    const ended = [cancelled.id, rejected.id, passed.id];
    expect(await idsOf({ account: user })).toEqual(ended);
    expect(await idsOf({ account: user, type: '' })).toEqual(ended);
    expect(await idsOf({ account: user, type: -1 })).toEqual(ended);
    expect(await idsOf({ account: user, type: 'history' })).toEqual(ended);
    expect(await idsOf({ account: user, type: 'review' })).toEqual([waiting.id]);
    for (const [state, id] of [rejected.id, cancelled.id].entries())
      expect(await idsOf({ account: user, state: state + 2 })).toEqual([id]);
    expect(await idsOf({ account: user, state: 0 })).toEqual([]);
    expect(await idsOf({ account: user, type: 'review', state: 0 })).toEqual([waiting.id]);
    expect(await idsOf({ account: user, type: 'review', state: 1 })).toEqual([]);
    expect(await get('ieo/order/list', { type: 'all' })).toMatchObject({ code: 422, data: [{ field: 'type' }] });
  });

  test('sums are exact per token', async () => {
    await makeIeo(server, admin, user, { price: '0.000000000000000001', amount: '7' });
    await makeIeo(server, admin, user, { price: '1.1', amount: '100.01' });
    const { data } = await get<Page<IeoRow, IeoSum>>('ieo/order/list', { account: user, type: 'review' });
    expect(data.summary).toEqual([
      { marketId: 6, marketName: 'HTT', count: 2, amount: '107.01', pay: '110.011000000000000007' },
    ]);
  });

  test('the exported file follows the type', async () => {
    const row = await makeIeo(server, admin, user);
    const columns = ['no', 'state', 'pay'];
    const fileOf = async (type?: string) =>
      (
        await server.server.inject({
          method: 'POST',
          url: '/api/v1/admin/ieo/order/excel',
          headers: { token: agent.token, 'content-type': 'application/json' },
          payload: JSON.stringify({ account: user, format: 'csv', columns, ...(type && { type }) }),
        })
      ).body;
    expect(await fileOf('review')).toContain(row.no);
    expect(await fileOf()).not.toContain(row.no);
  });
});

describe('ieo/order/detail', () => {
  /** The entries posted after an entry id, in the form of a preview. */
  const postedAfter = (last: number) =>
    server.query(sql`
      select case when a.owner = 'user' then u.account else '认购' end as owner, e.platform, e.bucket,
        m.market_name as "marketName", e.type, e.amount,
        case when a.owner = 'user' then e.balance - e.amount end as before,
        case when a.owner = 'user' then e.balance end as balance
      from entry e join account a on a.id = e.account_id join market m on m.id = e.market_id
      left join users u on u.id = e.user_id where e.id > ${last} order by e.id`);

  test.each(['pass', 'reject'] as const)('the preview equals the entries of %s', async (action) => {
    const earlier = await makeIeo(server, admin, user);
    await post('ieo/order/pass', { id: earlier.id });
    const row = await makeIeo(server, admin, user, { amount: '12.5' });
    const { data } = await get<IeoDetail>('ieo/order/detail', { id: row.id }, agent.token);
    const [{ last } = { last: 0 }] = await server.query(sql<{ last: number }>`select max(id) as last from entry`);
    expect((await post(`ieo/order/${action}`, { id: row.id, reason: 'why' }, agent.token)).code).toBe(200);
    expect(data.preview[action]).toEqual(await postedAfter(last));
    expect(data.preview[action].length).toBe(action === 'pass' ? 4 : 2);
    const { data: after } = await get<IeoDetail>('ieo/order/detail', { id: row.id });
    expect(after.preview).toEqual({ pass: [], reject: [] });
  });

  test('shows the user, balances, totals and earlier subscriptions', async () => {
    const earlier = await makeIeo(server, admin, user);
    await post('ieo/order/pass', { id: earlier.id });
    const row = await makeIeo(server, admin, user, { amount: '10' });
    await apply(server, { type: 'tick', data: { market: 'HTT', price: '0.61', at: server.clock.now() } });
    const { data } = await get<IeoDetail>('ieo/order/detail', { id: row.id }, agent.token);
    expect(data).toMatchObject({
      row: { id: row.id, pay: '5' },
      user: { account: user, agent: agent.account, state: 1 },
      switches: { ieoBuy: 1, ieoSell: 1 },
      market: { ieo: 1, state: 1, price: '0.61' },
      balances: [
        { marketName: 'USDT', active: '945', frozen: '5' },
        { marketName: 'HTT', active: '100', frozen: '0' },
      ],
      totals: [
        { state: 0, count: 1, amount: '10', pay: '5' },
        { state: 1, count: 1, amount: '100', pay: '50' },
      ],
      approval: { needed: false, openId: null, maker: null },
    });
    expect(data.others.map(({ id }) => id)).toEqual([earlier.id]);
    expect(data.row).not.toHaveProperty('agentId');
    expect(data.row).not.toHaveProperty('payMarketId');
  });
});

test('counts waiting subscriptions for reviewers and notifies operators in scope', async () => {
  const other = await makeOperator(server, admin, { parent: agent.account });
  const counted = async (token: string) => (await get<Counts>('notify/counts', {}, token)).data.ieoReview;
  const cards = async (token: string) =>
    (await get<{ text: string; value: string }[]>('state', {}, token)).data.find(({ text }) => text === '待审核认购');
  const before = (await counted(agent.token)) ?? 0;
  const row = await makeIeo(server, admin, user);
  expect(await counted(agent.token)).toBe(before + 1);
  expect(await cards(agent.token)).toEqual({ text: '待审核认购', value: String(before + 1) });
  expect(await counted(other.token)).toBeUndefined();
  expect(await cards(other.token)).toEqual({ text: '待审核认购', value: '0' });
  await post('ieo/order/pass', { id: row.id });
  expect(await counted(agent.token)).toBe(before);
  await numberNotifications(server.app);
  const { data } = await get<{ list: { type: string; refId: number; amount: string; marketName: string }[] }>(
    'notify/facts',
    {},
    agent.token,
  );
  expect(data.list.filter(({ refId, type }) => refId === row.id && type.startsWith('ieo.'))).toMatchObject([
    { type: 'ieo.passed', noun: 'ieo', amount: '100', marketName: 'HTT' },
    { type: 'ieo.ordered', noun: 'ieo', amount: '100', marketName: 'HTT', account: user },
  ]);
  expect(await server.query(sql`select 1 from alarm`)).toEqual([]);
});
