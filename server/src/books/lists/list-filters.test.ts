import { ABILITY } from '@hengtai/contract/authority/ability';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import { type Filter, type ListSpec, type Page, filtersOf, singleField } from '@hengtai/contract/wire/list';
import { Decimal } from '@hengtai/contract/values/decimal';
import { type EntryType, compareAmounts, entryLabels } from '@hengtai/contract/values/money';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { ViewCounts, ViewRow } from '@hengtai/contract/desk/view/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseCsv } from '../../../test/csv.ts';
import { exportFile } from '../../../test/export.ts';
import { findUser, makeIeo, makeOperator, makeUser, makeWithdraw, recharge } from '../../../test/factories.ts';
import { submitKyc } from '../../../test/identity.ts';
import { apply, call, login, provideServer, unique } from '../../../test/server.ts';
import { makeTrader, placeOrder } from '../../../test/spot.ts';
import { readXlsx, valuesOf } from '../../../test/xlsx.ts';

type Row = { id: number; state: number; amount: string; type: number; marketName: string; operator: string | null };
type Sum = { count: number; amount: string; marketName: string; in?: string; out?: string };
type List = Page<Row, Sum>;

const server = provideServer({ jobs: false });
let admin: string;

const REVIEWS = [ABILITY.withdraw, ABILITY.identity, ABILITY.subscription];
const AMOUNTS = ['0.5', '7', '10.000000000000000001', '10', '99.5', '100', '250'];

beforeAll(async () => {
  admin = await login(server);
  const user = await makeUser(server, { amount: '100000' });
  for (const [index, amount] of AMOUNTS.entries()) {
    await recharge(server, user, amount);
    const { id } = await makeWithdraw(server, admin, user, { amount: `${index + 1}${amount}`, fee: '0' });
    await server.query(sql`update withdraw set state = ${index % 4} where id = ${id}`);
    const trader = await makeTrader(server, { USDT: '100000' });
    const no = await placeOrder(server, trader, { price: '2', amount: amount.slice(0, 5) });
    await server.query(sql`update trade_order set state = ${index % 2 ? 0 : 4} where no = ${no}`);
  }
  await server.query(sql`update recharge set state = id % 3`);
  const target = await findUser(server, admin, user);
  const { list } = await fetchList('fund/record', { userId: target.id, size: 200 });
  for (const [index, { id }] of list.entries()) {
    const mark = [undefined, 'check', 'doubt'][index % 3];
    if (mark) await call(server, 'POST', `fund/record/state/${mark}`, { id }, { token: admin });
  }
});

const get = <T = List>(path: string, input: object) => call<T>(server, 'GET', path, input, { token: admin });
const fetchList = async (path: string, input: object): Promise<List> => {
  const answer = await get(path, input);
  expect([path, input, answer.code, answer.msg]).toEqual([path, input, 200, 'ok']);
  return answer.data;
};
const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => id);

describe.each(['withdraw/list', 'recharge/list', 'fund/record', 'trade/order/list'])('%s', (path) => {
  let all: Row[];
  beforeAll(async () => {
    all = (await fetchList(path, { size: 200 })).list;
    expect(new Set(all.map(({ state }) => state)).size).toBeGreaterThan(1);
  });

  test('shows the rows of several states', async () => {
    const states = [...new Set(all.map(({ state }) => state))].slice(0, 2);
    const expected = all.filter(({ state }) => states.includes(state));
    const found = await fetchList(path, { states: states.join(','), size: 200 });
    expect([found.total, idsOf(found.list)]).toEqual([expected.length, idsOf(expected)]);
    expect(found.summary?.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
    const [first] = states;
    const both = await fetchList(path, { states: states.join(','), state: first, size: 200 });
    expect(idsOf(both.list)).toEqual(idsOf(all.filter(({ state }) => state === first)));
  });

  test('shows the rows of a range of amounts, both ends included', async () => {
    const sorted = all.map(({ amount }) => amount).toSorted(compareAmounts);
    const [least = '', most = ''] = [sorted[2], sorted.at(-3)];
    const isInside = ({ amount }: Row, from = least, to = most): boolean =>
      compareAmounts(amount, from) >= 0 && compareAmounts(amount, to) <= 0;
    for (const states of [
      undefined,
      String(all[0]?.state),
      all
        .map(({ state }) => state)
        .slice(0, 2)
        .join(','),
    ]) {
      const isState = ({ state }: Row): boolean => states === undefined || states.split(',').includes(String(state));
      const input = { ...(states !== undefined && { states }), amountFrom: least, amountTo: most };
      const found = await fetchList(path, { ...input, size: 200 });
      const expected = all.filter((row) => isInside(row) && isState(row));
      expect([found.total, idsOf(found.list)]).toEqual([expected.length, idsOf(expected)]);
    }
    const above = await fetchList(path, { amountFrom: most, size: 200 });
    expect(idsOf(above.list)).toEqual(idsOf(all.filter((row) => isInside(row, most, sorted.at(-1)))));
    const below = await fetchList(path, { amountTo: least, size: 200 });
    expect(idsOf(below.list)).toEqual(idsOf(all.filter((row) => isInside(row, sorted[0], least))));
  });

  test.each([
    [{ states: '0,99' }, 'states', '状态格式不正确'],
    [{ states: '0,' }, 'states', '状态格式不正确'],
    [{ states: 'a' }, 'states', '状态格式不正确'],
    [{ states: Array.from({ length: 30 }, () => '0').join(',') }, 'states', '状态格式不正确'],
    [{ amountFrom: '1e5' }, 'amountFrom', '最小数量格式不正确'],
    [{ amountTo: '1,000' }, 'amountTo', '最大数量格式不正确'],
    [{ amountFrom: '2', amountTo: '1.999999999999999999' }, 'amountTo', '最大数量不能小于最小数量'],
  ])('refuses %j', async (input, field, msg) => {
    expect(await get(path, input)).toMatchObject({ code: 422, msg, data: [{ field, msg }] });
    const body = { ...input, format: 'csv' };
    const exported = path.replace(/\/list$/, '') + '/excel';
    expect(await call(server, 'POST', exported, body, { token: admin })).toMatchObject({
      code: 422,
      data: [{ field }],
    });
  });
});

test('ledger entries are found by several types, with what came in and went out', async () => {
  const { list } = await fetchList('fund/record', { size: 200 });
  const types = [...new Set(list.map(({ type }) => type))].slice(0, 3);
  expect(types).toHaveLength(3);
  const found = await fetchList('fund/record', { types: types.join(','), size: 200 });
  const expected = list.filter(({ type }) => types.includes(type));
  expect([found.total, idsOf(found.list)]).toEqual([expected.length, idsOf(expected)]);
  const both = await fetchList('fund/record', { types: types.join(','), type: types[1], size: 200 });
  expect(idsOf(both.list)).toEqual(idsOf(list.filter(({ type }) => type === types[1])));
  for (const { marketName, amount, in: into, out } of found.summary ?? []) {
    const own = expected.filter((row) => row.marketName === marketName).map((row) => new Decimal(row.amount));
    const sumOf = (amounts: Decimal[]) => amounts.reduce((sum, one) => sum.plus(one), new Decimal('0')).toString();
    expect([amount, into]).toEqual([sumOf(own), sumOf(own.filter((one) => one.isPositive()))]);
    expect(new Decimal(String(into)).minus(new Decimal(String(out))).toString()).toBe(amount);
  }
  for (const wrong of ['1,99', '1,', '1,,2'])
    expect(await get('fund/record', { types: wrong })).toMatchObject({ code: 422, data: [{ field: 'types' }] });
  const file = await exportFile(server, 'fund/record/excel', { types: types.join(','), columns: ['id'] }, admin);
  const notes = readXlsx(file.bytes)[1];
  const words = types.map((type) => entryLabels[type as EntryType]).join('、');
  expect(notes && valuesOf(notes)).toEqual(expect.arrayContaining([['类型', words]]));
});

test('ledger entries are found by an operator of the scope', async () => {
  const above = await makeOperator(server, admin, { abilities: REVIEWS });
  const reviewer = await makeOperator(server, admin, { parent: above.account, abilities: REVIEWS });
  const account = await makeUser(server, { agent: reviewer.account, amount: '100' });
  for (const token of [above.token, reviewer.token]) {
    const { id } = await makeWithdraw(server, admin, account, { amount: '2' });
    const rejected = await call(server, 'POST', 'withdraw/reject', { id, reason: '资料不清晰' }, { token });
    expect(rejected).toMatchObject({ code: 200 });
  }
  const madeBy = async (operator: string, token: string) => {
    const { data } = await call<List>(server, 'GET', 'fund/record', { operator, size: 200 }, { token });
    expect(data.total).toBe(data.list.length);
    return [...new Set(data.list.map((row) => row.operator))];
  };
  for (const { token } of [above, { token: admin }]) {
    expect(await madeBy(reviewer.account.toUpperCase(), token)).toEqual([reviewer.account]);
    expect(await madeBy(above.account, token)).toEqual([above.account]);
  }
  expect(await madeBy(reviewer.account, reviewer.token)).toEqual([reviewer.account]);
  // Outside of the scope an operator is hidden in the rows, and cannot be found by.
  expect(await madeBy(above.account, reviewer.token)).toEqual([]);
  expect(await madeBy(reviewer.account.slice(0, -1), admin)).toEqual([]);
});

test('an amount below zero limits signed amounts only', async () => {
  const { list, total } = await fetchList('fund/record', { size: 200 });
  const outgoing = await fetchList('fund/record', { amountTo: '-1', size: 200 });
  expect(idsOf(outgoing.list)).toEqual(idsOf(list.filter(({ amount }) => compareAmounts(amount, '-1') <= 0)));
  expect(outgoing.total).toBeGreaterThan(0);
  const incoming = await fetchList('fund/record', { amountFrom: '0', size: 200 });
  expect(incoming.total).toBe(list.filter(({ amount }) => !amount.startsWith('-')).length);
  expect((await fetchList('fund/record', { amountFrom: '' })).total).toBe(total);
  for (const amountTo of [-1, '-1']) {
    const file = await exportFile(server, 'fund/record/excel', { amountTo, columns: ['id'], format: 'csv' }, admin);
    const rows = parseCsv(file.text).map(([id]) => Number(id));
    expect(rows.filter((id) => id > 0)).toEqual(idsOf(outgoing.list));
  }
  // Elsewhere -1 means no filter.
  const withdraws = await fetchList('withdraw/list', {});
  expect((await fetchList('withdraw/list', { amountTo: '-1' })).total).toBe(withdraws.total);
  expect(await get('withdraw/list', { amountTo: '-2' })).toMatchObject({ code: 422, data: [{ field: 'amountTo' }] });
});

test('exports and views follow the same filters', async () => {
  const filters = { states: '0,2', amountFrom: '20', amountTo: '600' };
  const { list, total } = await fetchList('withdraw/list', { ...filters, size: 200 });
  expect(total).toBeGreaterThan(1);
  const file = await exportFile(server, 'withdraw/excel', { ...filters, columns: ['id'], format: 'csv' }, admin);
  const rows = parseCsv(file.text).map(([id]) => Number(id));
  expect(rows.filter((id) => id > 0)).toEqual(idsOf(list));
  const { bytes } = await exportFile(server, 'withdraw/excel', { ...filters, columns: ['id'] }, admin);
  const notes = readXlsx(bytes)[1];
  expect(notes && valuesOf(notes)).toEqual(
    expect.arrayContaining([
      ['状态', '待审核、待打款'],
      ['最小数量', '20'],
      ['最大数量', '600'],
    ]),
  );
  const query = new URLSearchParams(filters).toString();
  const view = { list: 'withdraw/list', name: '待处理的金额', query, shared: 0 };
  const saved = await call<ViewRow>(server, 'POST', 'view/save', view, { token: admin });
  expect(saved).toMatchObject({ code: 200, data: { query } });
  const counts = await get<ViewCounts>('view/counts', { list: 'withdraw/list' });
  expect(counts.data.saved).toContainEqual({ id: saved.data.id, count: total });
  const inverted = { ...view, name: '相反', query: 'amountFrom=2&amountTo=1' };
  expect(await call(server, 'POST', 'view/save', inverted, { token: admin })).toMatchObject({
    code: 422,
    data: [{ field: 'query', msg: '筛选条件：最大数量不能小于最小数量' }],
  });
});

test.each([
  ['withdraw/list', 'withdraw/reject', (account: string) => makeWithdraw(server, admin, account, { amount: '2' })],
  ['auth/list', 'auth/review/reject', (account: string) => submitKyc(server, admin, account)],
  ['ieo/order/list', 'ieo/order/reject', (account: string) => makeIeo(server, admin, account, { amount: '2' })],
])('%s finds what an operator has decided', async (path, decide, make) => {
  const reviewer = await makeOperator(server, admin, { abilities: REVIEWS });
  const ids: number[] = [];
  for (const token of [admin, reviewer.token]) {
    const { id } = await make(await makeUser(server, { agent: reviewer.account, amount: '100' }));
    expect(await call(server, 'POST', decide, { id, reason: '资料不清晰' }, { token })).toMatchObject({ code: 200 });
    ids.push(id);
  }
  const decidedBy = async (by: string, token: string): Promise<number[]> => {
    const { data } = await call<List>(server, 'GET', path, { by, size: 200 }, { token });
    expect(data.total).toBe(data.list.length);
    return idsOf(data.list);
  };
  for (const token of [admin, reviewer.token])
    expect(await decidedBy(reviewer.account.toUpperCase(), token)).toEqual([ids[1]]);
  expect(await decidedBy('ADMIN', admin)).toContain(ids[0]);
  expect(await decidedBy('ADMIN', admin)).not.toContain(ids[1]);
  // Outside of its scope an operator is found as it is written in the rows.
  expect(await decidedBy('admin', reviewer.token)).toEqual([ids[0]]);
  expect(await decidedBy('adm', admin)).toEqual([]);
});

test.each(['trade', 'ieoBuy', 'ieoSell', 'ai', 'winType'] as const)('users are found by %s', async (field) => {
  const others = (await fetchList('user/list', { [field]: 0 })).total;
  const account = await makeUser(server);
  const { id, [field]: initial } = await findUser(server, admin, account);
  const column = { trade: 'trade', ieoBuy: 'ieo_buy', ieoSell: 'ieo_sell', ai: 'ai', winType: 'win_type' }[field];
  const changed = 1 - initial;
  await server.query(sql`update users set ${sql.ref(column)} = ${changed}, win_rate = 80 where id = ${id}`);
  expect(idsOf((await fetchList('user/list', { [field]: changed, size: 200 })).list)).toContain(id);
  expect(idsOf((await fetchList('user/list', { [field]: initial, size: 200 })).list)).not.toContain(id);
  expect((await fetchList('user/list', { [field]: 0 })).total).toBe(others + (changed === 0 ? 1 : 0));
});

test('users are found by the IP of any recorded login, within the scope', async () => {
  const agent = await makeOperator(server, admin);
  const [ip, users] = ['2001:db8::77', [await makeUser(server, { agent: agent.account }), await makeUser(server)]];
  const logIn = (account: string, from: string, at: number) =>
    apply(server, { type: 'user.login', at, data: { account, ip: from } });
  const now = server.clock.now();
  for (const [place, account] of users.entries()) await logIn(account, ip, now - 9 + place);
  await logIn(users[0] ?? '', ip, now - 5);
  await logIn(users[0] ?? '', '203.0.113.99', now);
  const found = async (text: string, token: string) => {
    const { data } = await call<Page<UserRow>>(server, 'GET', 'user/list', { ip: text }, { token });
    expect(data.total).toBe(data.list.length);
    return data.list.map(({ account }) => account);
  };
  expect(await found(ip, admin)).toEqual(users.toReversed());
  expect(await found('203.0.113.99', admin)).toEqual([users[0]]);
  expect(await found(ip, agent.token)).toEqual([users[0]]);
  expect(await found('2001:db8::7', admin)).toEqual([]);
});

test('users are ordered by what they own and by their last login, unknown ones last', async () => {
  const at = server.clock.now();
  const users = [];
  for (const [amount, loginAt] of [
    ['30', at - 5],
    ['7', at],
    ['100', undefined],
  ] as const) {
    const user = await findUser(server, admin, await makeUser(server, { account: unique('own.'), amount }));
    if (loginAt !== undefined)
      await server.query(sql`update users set last_login_at = ${loginAt} where id = ${user.id}`);
    users.push(user.id);
  }
  const [thirty, seven, hundred] = users;
  const order = async (sort: string) => idsOf((await fetchList('user/list', { account: 'own.', sort })).list);
  expect(await order('-valuation')).toEqual([hundred, thirty, seven]);
  expect(await order('valuation')).toEqual([seven, thirty, hundred]);
  expect(await order('-lastLoginAt')).toEqual([seven, thirty, hundred]);
  expect(await order('lastLoginAt')).toEqual([thirty, seven, hundred]);
});

const specs = Object.values<Record<string, Endpoint>>(endpoints).flatMap((ends) =>
  Object.values(ends).flatMap(({ call: spec }): [string, CallSpec & { list: ListSpec }][] =>
    spec.kind === 'list' && spec.list ? [[spec.path, { ...spec, list: spec.list }]] : [],
  ),
);

test.each(specs)('%s takes all states and any amount where it shows them', async (path, { list }) => {
  const { total } = await fetchList(path, {});
  const several = filtersOf(list).filter(({ kind }) => kind === 'any');
  const isSeveral = ({ field, several: takes }: Filter): boolean => field === 'state' || takes === true;
  expect(several.map(singleField)).toEqual(list.filters.filter(isSeveral).map(({ field }) => field));
  for (const { field, options = {} } of several) {
    const values = Object.keys(options);
    expect((await fetchList(path, { [field]: values.join(',') })).total).toBe(total);
    let sum = 0;
    for (const value of values) sum += (await fetchList(path, { [field]: value })).total;
    expect(sum).toBe(total);
  }
  if (!list.filters.some(({ field }) => field === 'state'))
    expect(await get(path, { states: '0' })).toMatchObject({ code: 422 });
  if (list.columns?.some(({ field }) => field === 'amount')) {
    expect((await fetchList(path, { amountFrom: '999999999999999999' })).total).toBe(0);
    const limits = { amountFrom: '0', amountTo: '999999999999999998' };
    expect((await fetchList(path, limits)).total).toBeLessThanOrEqual(total);
  } else expect(await get(path, { amountFrom: '0' })).toMatchObject({ code: 422 });
});
