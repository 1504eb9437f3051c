import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { VIEWS_MAX } from '@hengtai/contract/desk/view/calls';
import type { ViewCounts, ViewRow } from '@hengtai/contract/desk/view/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { call, login, provideServer, unique } from '../../../../test/server.ts';
import { runInScope } from '../../../database/connect.ts';
import { queryParser } from '../../../http/input.ts';

const server = provideServer();
let admin: string;
let owner: TestOperator;
let below: TestOperator;
let outsider: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  owner = await makeOperator(server, admin, { abilities: [1] });
  below = await makeOperator(server, admin, { parent: owner.account });
  outsider = await makeOperator(server, admin, { abilities: [13] });
  for (const [agent, requests] of [
    [owner.account, 3],
    [below.account, 2],
  ] as const) {
    const account = await makeUser(server, { agent, amount: '1000' });
    for (let i = 0; i < requests; i += 1) await makeWithdraw(server, admin, account, { amount: '10' });
  }
});

const LIST = 'withdraw/list';
const newView = (more: object = {}) => ({ list: LIST, name: unique('视图'), query: 'state=0', shared: 0, ...more });
const save = (input: object, token = owner.token) => call<ViewRow>(server, 'POST', 'view/save', input, { token });
const del = (id: number, token = owner.token) => call(server, 'POST', 'view/del', { id }, { token });
const views = async (token = owner.token, list = LIST): Promise<ViewRow[]> =>
  (await call<ViewRow[]>(server, 'GET', 'view/list', { list }, { token })).data;
const counts = async (token = owner.token, list = LIST): Promise<ViewCounts> =>
  (await call<ViewCounts>(server, 'GET', 'view/counts', { list }, { token })).data;
const countOf = async (id: number, token = owner.token) =>
  (await counts(token)).saved.find((saved) => saved.id === id)?.count;
const totalOf = async (query: object, token: string): Promise<number> =>
  (await call<Page<object>>(server, 'GET', LIST, query, { token })).data.total;

describe('view/save', () => {
  test('stores filters, order and columns under a name', async () => {
    const columns = { order: ['id', 'account'], hidden: { fee: true }, width: { id: 90 }, fixed: { id: 'left' } };
    const input = newView({ query: 'state=0&sort=-amount', columns });
    const saved = await save(input);
    expect(saved).toMatchObject({ code: 200, data: { ...input, columns, mine: 1, by: owner.account } });
    expect(await views()).toContainEqual(saved.data);
  });

  test('replaces every field of an own view', async () => {
    const { data: before } = await save(newView({ columns: { hidden: {} } }));
    const next = newView({ query: 'account=a*', shared: 1 });
    const changed = await save({ ...next, id: before.id });
    expect(changed).toMatchObject({ code: 200, data: { ...next, id: before.id, columns: null } });
    expect((await views()).filter(({ id }) => id === before.id)).toEqual([changed.data]);
    // The list of a view cannot change.
    expect(await save({ ...next, id: before.id, list: 'recharge/list', query: '' })).toMatchObject({ code: 404 });
  });

  test('a name is unique for each list and operator, regardless of case', async () => {
    const name = unique('Name');
    const { data: first } = await save(newView({ name }));
    expect(await save(newView({ name: name.toLowerCase() }))).toMatchObject({ code: 409, msg: '已有同名的视图' });
    const { data: second } = await save(newView());
    expect(await save({ ...newView({ name }), id: second.id })).toMatchObject({ code: 409 });
    expect(await save({ ...newView({ name }), id: first.id })).toMatchObject({ code: 200 });
    expect(await save(newView({ name, list: 'recharge/list', query: '' }))).toMatchObject({ code: 200 });
    expect(await save(newView({ name }), below.token)).toMatchObject({ code: 200 });
  });

  test.each(['state=99', 'no_such=1', 'state=0&state=1', 'sort=secret', 'page=0', '__proto__=1'])(
    'refuses the query %s, which the list does not accept',
    async (query) => {
      expect(await save(newView({ query }))).toMatchObject({ code: 422, data: [{ field: 'query' }] });
    },
  );

  test.each([
    [{ name: '' }, 'name'],
    [{ name: ' a' }, 'name'],
    [{ name: 'x'.repeat(21) }, 'name'],
    [{ list: 'market/filter' }, 'list'],
    [
      { columns: { order: Array.from({ length: 100 }, () => 'x'.repeat(64)), hidden: {}, width: longWidths() } },
      'columns',
    ],
    [{ shared: 2 }, 'shared'],
  ])('refuses %j', async (more, field) => {
    expect(await save(newView(more))).toMatchObject({ code: 422, data: [{ field }] });
  });

  test('limits the number of views; a deletion makes room', async () => {
    const { token } = await makeOperator(server, admin);
    const ids: number[] = [];
    for (let i = 0; i < VIEWS_MAX; i += 1) ids.push((await save(newView(), token)).data.id);
    expect(await save(newView(), token)).toMatchObject({ code: 422, data: [{ field: 'list' }] });
    expect(await save({ ...newView(), id: ids[0] }, token)).toMatchObject({ code: 200 });
    expect(await save(newView({ list: 'recharge/list', query: '' }), token)).toMatchObject({ code: 200 });
    expect((await del(ids[0] ?? 0, token)).code).toBe(200);
    expect(await save(newView(), token)).toMatchObject({ code: 200 });
  });

  test('audits the old and the new view', async () => {
    const { data } = await save(newView({ shared: 1 }));
    await save({ ...newView({ name: data.name, query: 'state=1' }), id: data.id });
    await del(data.id);
    const rows = await server.query(
      sql<{ action: string; before: unknown; after: unknown }>`select action, before, after from audit
        where target_type = 'view' and target_id = ${data.id} order by id`,
    );
    const [added, changed] = [
      { list: LIST, name: data.name, query: 'state=0', shared: 1, columns: false },
      { list: LIST, name: data.name, query: 'state=1', shared: 0, columns: false },
    ];
    expect(rows).toEqual([
      { action: 'view.save', before: null, after: added },
      { action: 'view.save', before: added, after: changed },
      { action: 'view.del', before: changed, after: null },
    ]);
  });
});

describe('shared views', () => {
  test('are visible to agents below, without the owner’s name, and to no others', async () => {
    const { data: shared } = await save(newView({ shared: 1 }));
    const { data: privateView } = await save(newView());
    expect(await views(below.token)).toContainEqual({ ...shared, mine: 0, by: null });
    const visibleIds = async (token: string) => (await views(token)).map(({ id }) => id);
    expect(await visibleIds(below.token)).not.toContain(privateView.id);
    for (const token of [outsider.token, admin]) {
      expect(await visibleIds(token)).not.toContain(shared.id);
      expect(await visibleIds(token)).not.toContain(privateView.id);
    }
    await save({ ...newView({ shared: 0 }), id: shared.id });
    expect(await visibleIds(below.token)).not.toContain(shared.id);
  });

  test('of the admin are visible to all', async () => {
    const { data: shared } = await save(newView({ shared: 1 }), admin);
    for (const { token } of [owner, below, outsider]) {
      expect((await views(token)).map(({ id }) => id)).toContain(shared.id);
    }
    await del(shared.id, admin);
  });

  test('are changed and deleted only by their owner', async () => {
    const { data: shared } = await save(newView({ shared: 1 }));
    const { data: privateView } = await save(newView());
    expect(await save({ ...newView(), id: shared.id }, below.token)).toMatchObject({ code: 403 });
    expect(await del(shared.id, below.token)).toMatchObject({ code: 403 });
    for (const token of [below.token, outsider.token, admin]) {
      expect(await del(privateView.id, token)).toMatchObject({ code: 404 });
      expect(await save({ ...newView(), id: privateView.id }, token)).toMatchObject({ code: 404 });
    }
    expect((await views()).map(({ id }) => id)).toEqual(expect.arrayContaining([shared.id, privateView.id]));
    expect((await del(shared.id)).code).toBe(200);
    expect(await del(shared.id)).toMatchObject({ code: 404 });
  });

  test('of a deleted operator are visible to nobody', async () => {
    const gone = await makeOperator(server, admin);
    const child = await makeOperator(server, admin, { parent: gone.account });
    const { data: shared } = await save(newView({ shared: 1 }), gone.token);
    const visibleIds = async () => (await views(child.token)).map(({ id }) => id);
    expect(await visibleIds()).toContain(shared.id);
    // A deleted operator keeps its row, and its child agents move below its replacement.
    await server.query(sql`update agent set deleted_at = 1, state = 0 where id = ${gone.id}`);
    await server.query(sql`update agent set parent_id = ${owner.id} where id = ${child.id}`);
    await server.query(
      sql`update closure set ancestor = ${owner.id} where ancestor = ${gone.id} and descendant = ${child.id}`,
    );
    expect(await visibleIds()).not.toContain(shared.id);
    expect((await counts(child.token)).saved.map(({ id }) => id)).not.toContain(shared.id);
  });
});

describe('view/counts', () => {
  test('counts a shared view in the scope of the reader', async () => {
    const { data: shared } = await save(newView({ shared: 1 }));
    const [whole, part] = [await totalOf({ state: 0 }, owner.token), await totalOf({ state: 0 }, below.token)];
    expect([await countOf(shared.id), await countOf(shared.id, below.token)]).toEqual([whole, part]);
    expect(whole).toBeGreaterThan(part);
    expect(part).toBeGreaterThan(0);
  });

  test('counts like the list with the same filters, regardless of page and order', async () => {
    const account = await makeUser(server, { agent: owner.account, amount: '100' });
    await makeWithdraw(server, admin, account, { amount: '10' });
    const { data } = await save(newView({ query: `account=${account}&sort=-amount&page=3&size=1` }));
    expect(await countOf(data.id)).toBe(1);
    const { data: none } = await save(newView({ query: 'account=nobody-at-all' }));
    expect(await countOf(none.id)).toBe(0);
    const { data: all } = await save(newView({ query: '' }));
    expect(await countOf(all.id)).toBe(await totalOf({}, owner.token));
  });

  test('counts the built-in views of the list in their order', async () => {
    const { built } = await counts();
    const filters = [{ state: 0 }, { state: 1 }, { state: 7 }, { state: 8 }, { auto: 2 }];
    expect(built).toEqual(await Promise.all(filters.map((one) => totalOf(one, owner.token))));
    expect(built[0]).toBeGreaterThan(0);
  });

  test('has no count for a view with filters that the list no longer accepts, and counts the others', async () => {
    const { data: staleView } = await save(newView());
    const { data: valid } = await save(newView());
    await server.query(sql`update saved_view set query = 'gone=1' where id = ${staleView.id}`);
    expect(await countOf(staleView.id)).toBeNull();
    expect(await countOf(valid.id)).toBe(await totalOf({ state: 0 }, owner.token));
    expect((await views()).map(({ id }) => id)).toContain(staleView.id);
  });

  test('answers 403 for a list that the operator may not see', async () => {
    for (const path of ['view/list', 'view/counts']) {
      const answer = await call(server, 'GET', path, { list: 'audit/list' }, { token: owner.token });
      expect(answer).toMatchObject({ code: 403 });
    }
    expect(await save(newView({ list: 'audit/list', query: '' }))).toMatchObject({ code: 403 });
    expect((await counts(admin, 'audit/list')).built).toEqual(expect.any(Array));
  });
});

const lists: [string, CallSpec, Endpoint][] = Object.values<Record<string, Endpoint>>(endpoints)
  .flatMap((ends) => Object.values(ends))
  .flatMap((end): [string, CallSpec, Endpoint][] => (end.call.kind === 'list' ? [[end.call.path, end.call, end]] : []));

describe('every list of the contract accepts views', () => {
  test.each(lists)('%s', async (path, spec, { input }) => {
    const read = queryParser(input, true);
    for (const { query } of spec.list?.views ?? []) {
      expect(() => read(Object.fromEntries(new URLSearchParams(query)))).not.toThrow();
    }
    const { data } = await save(newView({ list: path, query: '' }), admin);
    const { built, saved } = await counts(admin, path);
    const { total } = (await call<Page<object>>(server, 'GET', path, {}, { token: admin })).data;
    expect(saved).toEqual([{ id: data.id, count: total }]);
    expect(built).toHaveLength(spec.list?.views?.length ?? 0);
    expect(built).not.toContain(null);
    await del(data.id, admin);
  });
});

test('row-level security shows own and shared views and allows changes of own ones only', async () => {
  const { data: shared } = await save(newView({ shared: 1 }));
  const { data: privateView } = await save(newView());
  const { data: own } = await save(newView(), below.token);
  const updateAndListAs = (operator: TestOperator) =>
    runInScope(server.app.requests, { kind: 'agents', ids: [operator.id, below.id] }, operator.id, async (db) => {
      const { rows } = await sql<{ id: number }>`update saved_view set updated_at = updated_at returning id`.execute(
        db,
      );
      const visible = (await sql<{ id: number }>`select id from saved_view`.execute(db)).rows;
      return { changed: rows.map(({ id }) => id), visible: visible.map(({ id }) => id) };
    });
  const { changed, visible } = await updateAndListAs(below);
  expect(visible).toEqual(expect.arrayContaining([shared.id, own.id]));
  expect(visible).not.toContain(privateView.id);
  expect(changed).toContain(own.id);
  expect(changed).not.toContain(shared.id);
  expect((await updateAndListAs(owner)).visible).not.toContain(own.id);
});

/** Column widths above the size limit of a view. */
function longWidths(): Record<string, number> {
  return Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${'y'.repeat(60)}${i}`, 100]));
}
