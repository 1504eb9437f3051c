import type { CallSpec } from '@hengtai/contract/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import type { Page } from '@hengtai/contract/list';
import type { Endpoint } from '@hengtai/contract/schema';
import { VIEWS_MAX } from '@hengtai/contract/view';
import type { ViewCounts, ViewRow } from '@hengtai/contract/view.schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, call, login, testServer, unique } from '../../test/server.ts';
import { scoped } from '../db/connect.ts';
import { queryParser } from '../http/input.ts';

let server: TestServer;
let admin: string;
let one: TestOperator;
let below: TestOperator;
let beside: TestOperator;

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
  one = await makeOperator(server, admin, { abilities: [1] });
  below = await makeOperator(server, admin, { parent: one.account });
  beside = await makeOperator(server, admin, { abilities: [13] });
  for (const [agent, requests] of [
    [one.account, 3],
    [below.account, 2],
  ] as const) {
    const account = await makeUser(server, { agent, amount: '1000' });
    for (let i = 0; i < requests; i += 1) await makeWithdraw(server, admin, account, { amount: '10' });
  }
});
afterAll(() => server.stop());

const LIST = 'withdraw/list';
const fresh = (more: object = {}) => ({ list: LIST, name: unique('视图'), query: 'state=0', shared: 0, ...more });
const save = (input: object, token = one.token) => call<ViewRow>(server, 'POST', 'view/save', input, { token });
const del = (id: number, token = one.token) => call(server, 'POST', 'view/del', { id }, { token });
const views = async (token = one.token, list = LIST): Promise<ViewRow[]> =>
  (await call<ViewRow[]>(server, 'GET', 'view/list', { list }, { token })).data;
const counts = async (token = one.token, list = LIST): Promise<ViewCounts> =>
  (await call<ViewCounts>(server, 'GET', 'view/counts', { list }, { token })).data;
const countOf = async (id: number, token = one.token) =>
  (await counts(token)).saved.find((saved) => saved.id === id)?.count;
const totalOf = async (query: object, token: string): Promise<number> =>
  (await call<Page<object>>(server, 'GET', LIST, query, { token })).data.total;

describe('view/save', () => {
  test('keeps filters, order and columns under a name', async () => {
    const columns = { order: ['id', 'account'], hidden: { fee: true }, width: { id: 90 }, fixed: { id: 'left' } };
    const input = fresh({ query: 'state=0&sort=-amount', columns });
    const saved = await save(input);
    expect(saved).toMatchObject({ code: 200, data: { ...input, columns, mine: 1, by: one.account } });
    expect(await views()).toContainEqual(saved.data);
  });

  test('changes one of one’s own as a whole', async () => {
    const { data: was } = await save(fresh({ columns: { hidden: {} } }));
    const next = fresh({ query: 'account=a*', shared: 1 });
    const changed = await save({ ...next, id: was.id });
    expect(changed).toMatchObject({ code: 200, data: { ...next, id: was.id, columns: null } });
    expect((await views()).filter(({ id }) => id === was.id)).toEqual([changed.data]);
    // Its list stays what it was.
    expect(await save({ ...next, id: was.id, list: 'recharge/list', query: '' })).toMatchObject({ code: 404 });
  });

  test('a name is taken once for each list and operator, in either case', async () => {
    const name = unique('Name');
    const { data: first } = await save(fresh({ name }));
    expect(await save(fresh({ name: name.toLowerCase() }))).toMatchObject({ code: 409, msg: '已有同名的视图' });
    const { data: second } = await save(fresh());
    expect(await save({ ...fresh({ name }), id: second.id })).toMatchObject({ code: 409 });
    expect(await save({ ...fresh({ name }), id: first.id })).toMatchObject({ code: 200 });
    expect(await save(fresh({ name, list: 'recharge/list', query: '' }))).toMatchObject({ code: 200 });
    expect(await save(fresh({ name }), below.token)).toMatchObject({ code: 200 });
  });

  test.each(['state=99', 'no_such=1', 'state=0&state=1', 'sort=secret', 'page=0', '__proto__=1'])(
    'the list itself says that %s is no filter',
    async (query) => {
      expect(await save(fresh({ query }))).toMatchObject({ code: 422, data: [{ field: 'query' }] });
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
  ])('%j is refused', async (more, field) => {
    expect(await save(fresh(more))).toMatchObject({ code: 422, data: [{ field }] });
  });

  test('there is a limit, and one that is deleted makes room', async () => {
    const { token } = await makeOperator(server, admin);
    const made: number[] = [];
    for (let i = 0; i < VIEWS_MAX; i += 1) made.push((await save(fresh(), token)).data.id);
    expect(await save(fresh(), token)).toMatchObject({ code: 422, data: [{ field: 'list' }] });
    expect(await save({ ...fresh(), id: made[0] }, token)).toMatchObject({ code: 200 });
    expect(await save(fresh({ list: 'recharge/list', query: '' }), token)).toMatchObject({ code: 200 });
    expect((await del(made[0] ?? 0, token)).code).toBe(200);
    expect(await save(fresh(), token)).toMatchObject({ code: 200 });
  });

  test('is audited with what it was and is', async () => {
    const { data } = await save(fresh({ shared: 1 }));
    await save({ ...fresh({ name: data.name, query: 'state=1' }), id: data.id });
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

describe('sharing reaches downwards', () => {
  test('everybody below sees it, without the name of who stands above, and nobody beside', async () => {
    const { data: shared } = await save(fresh({ shared: 1 }));
    const { data: kept } = await save(fresh());
    expect(await views(below.token)).toContainEqual({ ...shared, mine: 0, by: null });
    const seen = async (token: string) => (await views(token)).map(({ id }) => id);
    expect(await seen(below.token)).not.toContain(kept.id);
    for (const token of [beside.token, admin]) {
      expect(await seen(token)).not.toContain(shared.id);
      expect(await seen(token)).not.toContain(kept.id);
    }
    await save({ ...fresh({ shared: 0 }), id: shared.id });
    expect(await seen(below.token)).not.toContain(shared.id);
  });

  test('the admin shares with all', async () => {
    const { data: shared } = await save(fresh({ shared: 1 }), admin);
    for (const { token } of [one, below, beside]) {
      expect((await views(token)).map(({ id }) => id)).toContain(shared.id);
    }
    await del(shared.id, admin);
  });

  test('only its owner changes or deletes it, even if others see it', async () => {
    const { data: shared } = await save(fresh({ shared: 1 }));
    const { data: kept } = await save(fresh());
    expect(await save({ ...fresh(), id: shared.id }, below.token)).toMatchObject({ code: 403 });
    expect(await del(shared.id, below.token)).toMatchObject({ code: 403 });
    for (const token of [below.token, beside.token, admin]) {
      expect(await del(kept.id, token)).toMatchObject({ code: 404 });
      expect(await save({ ...fresh(), id: kept.id }, token)).toMatchObject({ code: 404 });
    }
    expect((await views()).map(({ id }) => id)).toEqual(expect.arrayContaining([shared.id, kept.id]));
    expect((await del(shared.id)).code).toBe(200);
    expect(await del(shared.id)).toMatchObject({ code: 404 });
  });

  test('what a deleted operator shared is seen by nobody', async () => {
    const gone = await makeOperator(server, admin);
    const child = await makeOperator(server, admin, { parent: gone.account });
    const { data: shared } = await save(fresh({ shared: 1 }), gone.token);
    const seen = async () => (await views(child.token)).map(({ id }) => id);
    expect(await seen()).toContain(shared.id);
    // A deleted operator keeps its row and loses its place: those below it stand below its replacement.
    await server.query(sql`update agent set deleted_at = 1, state = 0 where id = ${gone.id}`);
    await server.query(sql`update agent set parent_id = ${one.id} where id = ${child.id}`);
    await server.query(
      sql`update closure set ancestor = ${one.id} where ancestor = ${gone.id} and descendant = ${child.id}`,
    );
    expect(await seen()).not.toContain(shared.id);
    expect((await counts(child.token)).saved.map(({ id }) => id)).not.toContain(shared.id);
  });
});

describe('view/counts', () => {
  test('a shared view is counted in the scope of its reader', async () => {
    const { data: shared } = await save(fresh({ shared: 1 }));
    expect(await countOf(shared.id)).toBe(5);
    expect(await countOf(shared.id, below.token)).toBe(2);
    expect(await countOf(shared.id)).toBe(await totalOf({ state: 0 }, one.token));
  });

  test('counts are those of the list under the same filters, whatever page and order', async () => {
    const account = await makeUser(server, { agent: one.account, amount: '100' });
    await makeWithdraw(server, admin, account, { amount: '10' });
    const { data } = await save(fresh({ query: `account=${account}&sort=-amount&page=3&size=1` }));
    expect(await countOf(data.id)).toBe(1);
    const { data: none } = await save(fresh({ query: 'account=nobody-at-all' }));
    expect(await countOf(none.id)).toBe(0);
    const { data: all } = await save(fresh({ query: '' }));
    expect(await countOf(all.id)).toBe(await totalOf({}, one.token));
  });

  test('the views of the list itself are counted in their order', async () => {
    const { built } = await counts();
    const expected = await Promise.all([0, 1, 8].map((state) => totalOf({ state }, one.token)));
    expect(built).toEqual(expected);
    expect(built[0]).toBeGreaterThan(0);
  });

  test('a view whose filters are no longer those of the list has no count, and the others have theirs', async () => {
    const { data: stale } = await save(fresh());
    const { data: sound } = await save(fresh());
    await server.query(sql`update saved_view set query = 'gone=1' where id = ${stale.id}`);
    expect(await countOf(stale.id)).toBeNull();
    expect(await countOf(sound.id)).toBe(await totalOf({ state: 0 }, one.token));
    expect((await views()).map(({ id }) => id)).toContain(stale.id);
  });

  test('an operator who may not see a list sees no views of it', async () => {
    for (const path of ['view/list', 'view/counts']) {
      const answer = await call(server, 'GET', path, { list: 'audit/list' }, { token: one.token });
      expect(answer).toMatchObject({ code: 403 });
    }
    expect(await save(fresh({ list: 'audit/list', query: '' }))).toMatchObject({ code: 403 });
    expect((await counts(admin, 'audit/list')).built).toEqual(expect.any(Array));
  });
});

const lists: [string, CallSpec, Endpoint][] = Object.values<Record<string, Endpoint>>(endpoints)
  .flatMap((ends) => Object.values(ends))
  .flatMap((end): [string, CallSpec, Endpoint][] => (end.call.kind === 'list' ? [[end.call.path, end.call, end]] : []));

describe('every list of the contract has views', () => {
  test.each(lists)('%s', async (path, spec, { input }) => {
    const read = queryParser(input, true);
    for (const { query } of spec.list?.views ?? []) {
      expect(() => read(Object.fromEntries(new URLSearchParams(query)))).not.toThrow();
    }
    const { data } = await save(fresh({ list: path, query: '' }), admin);
    const { built, saved } = await counts(admin, path);
    const { total } = (await call<Page<object>>(server, 'GET', path, {}, { token: admin })).data;
    expect(saved).toEqual([{ id: data.id, count: total }]);
    expect(built).toHaveLength(spec.list?.views?.length ?? 0);
    expect(built).not.toContain(null);
    await del(data.id, admin);
  });
});

test('row-level security alone shows own and shared views, and lets only own ones be changed', async () => {
  const { data: shared } = await save(fresh({ shared: 1 }));
  const { data: kept } = await save(fresh());
  const { data: own } = await save(fresh(), below.token);
  const as = (who: TestOperator) =>
    scoped(server.app.requests, { kind: 'agents', ids: [who.id, below.id] }, who.id, async (db) => {
      const { rows } = await sql<{ id: number }>`update saved_view set updated_at = updated_at returning id`.execute(
        db,
      );
      const seen = (await sql<{ id: number }>`select id from saved_view`.execute(db)).rows;
      return { changed: rows.map(({ id }) => id), seen: seen.map(({ id }) => id) };
    });
  const { changed, seen } = await as(below);
  expect(seen).toEqual(expect.arrayContaining([shared.id, own.id]));
  expect(seen).not.toContain(kept.id);
  expect(changed).toContain(own.id);
  expect(changed).not.toContain(shared.id);
  expect((await as(one)).seen).not.toContain(own.id);
});

/** Column settings that are too much for one view. */
function longWidths(): Record<string, number> {
  return Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${'y'.repeat(60)}${i}`, 100]));
}
