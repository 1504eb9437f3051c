import { PREFERENCES_MAX, PREFERENCE_BYTES_MAX } from '@hengtai/contract/desk/preference/calls';
import { PREFERENCE_CHANGES_MAX } from '@hengtai/contract/wire/input-values';
import type { PreferenceList } from '@hengtai/contract/desk/preference/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { call, login, provideServer } from '../../../../test/server.ts';
import { runInScope } from '../../../database/connect.ts';

const server = provideServer();
let admin: string;
let one: TestOperator;
let below: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  one = await makeOperator(server, admin);
  below = await makeOperator(server, admin, { parent: one.account });
});

type Item = PreferenceList['items'][number];

const save = (items: readonly Item[], token = one.token) =>
  call(server, 'POST', 'preference/save', { items }, { token });
const stored = async (token = one.token): Promise<Item[]> =>
  (await call<PreferenceList>(server, 'GET', 'preference/list', {}, { token })).data.items;

describe('preference/save', () => {
  test('stores any JSON, replaces an existing value and deletes with null', async () => {
    const columns = { order: ['id', 'account'], hidden: { amount: true }, text: 'a\u0000b 好 🙂 \ud800' };
    const first = [
      { key: 'list.withdraw/list.columns', value: columns },
      { key: 'menu.collapsed', value: false },
      { key: 'theme', value: 'dark' },
    ];
    const { token } = await makeOperator(server, admin);
    expect(await save(first, token)).toMatchObject({ code: 200, data: null });
    expect(await stored(token)).toEqual(first);
    expect((await save([{ key: 'theme', value: 'light' }], token)).code).toBe(200);
    expect(await stored(token)).toEqual([first[0], first[1], { key: 'theme', value: 'light' }]);
    const deletedKeys = ['theme', 'menu.collapsed', 'list.withdraw/list.columns', 'zone'];
    expect(
      (
        await save(
          deletedKeys.map((key) => ({ key, value: null })),
          token,
        )
      ).code,
    ).toBe(200);
    expect(await stored(token)).toEqual([]);
  });

  test('reads and writes only the own preferences, also for operators with full scope', async () => {
    const one = await makeOperator(server, admin);
    const below = await makeOperator(server, admin, { parent: one.account });
    await save([{ key: 'theme', value: 'dark' }], one.token);
    await save([{ key: 'theme', value: 'light' }], below.token);
    await save([{ key: 'zone', value: 'UTC' }], admin);
    expect(await stored(one.token)).toEqual([{ key: 'theme', value: 'dark' }]);
    expect(await stored(below.token)).toEqual([{ key: 'theme', value: 'light' }]);
    expect(await stored(admin)).toEqual([{ key: 'zone', value: 'UTC' }]);
    await save([{ key: 'theme', value: null }], admin);
    expect(await stored(one.token)).toEqual([{ key: 'theme', value: 'dark' }]);
  });

  test.each([
    'other',
    'Theme',
    'theme.',
    'list',
    'list.a.b.c.d',
    'list.a b',
    'theme\n',
    '__proto__',
    `list.${'x'.repeat(96)}`,
  ])('validates the key %j', async (key) => {
    const answer = await save([{ key, value: 1 }]);
    if (key === 'list') expect(answer.code).toBe(200);
    else
      expect(answer).toMatchObject({
        code: 422,
        msg: expect.stringMatching(/^设置项第 1 项的标识/),
        data: [{ field: 'items/0/key' }],
      });
    await save([{ key: 'list', value: null }]);
  });

  test('limits the bytes of a value', async () => {
    const longest = '好'.repeat(Math.floor((PREFERENCE_BYTES_MAX - 2) / 3));
    expect((await save([{ key: 'page.x', value: longest }])).code).toBe(200);
    const answer = await save([
      { key: 'zone', value: 'UTC' },
      { key: 'page.x', value: `${longest}好` },
    ]);
    expect(answer).toMatchObject({ code: 422, data: [{ field: 'items' }] });
    expect((await stored()).map(({ key }) => key)).not.toContain('zone');
    await save([{ key: 'page.x', value: null }]);
  });

  test('refuses a repeated key, an empty list and too many items', async () => {
    const repeated = [
      { key: 'zone', value: 'UTC' },
      { key: 'zone', value: null },
    ];
    const tooMany = Array.from({ length: PREFERENCE_CHANGES_MAX + 1 }, (_, i) => ({ key: `page.m${i}`, value: i }));
    for (const items of [repeated, [], tooMany]) {
      expect(await save(items)).toMatchObject({ code: 422, data: [{ field: 'items' }] });
    }
  });

  test('limits the number of preferences and allows changes at the limit', async () => {
    const { token } = await makeOperator(server, admin);
    const items = Array.from({ length: PREFERENCES_MAX }, (_, i) => ({ key: `page.n${i}`, value: i }));
    for (let at = 0; at < items.length; at += PREFERENCE_CHANGES_MAX) {
      expect((await save(items.slice(at, at + PREFERENCE_CHANGES_MAX), token)).code).toBe(200);
    }
    expect(await save([{ key: 'page.more', value: 1 }], token)).toMatchObject({ code: 422 });
    expect(await stored(token)).toHaveLength(PREFERENCES_MAX);
    const swap = [
      { key: 'page.n0', value: null },
      { key: 'page.more', value: 1 },
      { key: 'page.n1', value: 'changed' },
    ];
    expect((await save(swap, token)).code).toBe(200);
    expect(await stored(token)).toHaveLength(PREFERENCES_MAX);
  });

  test('ten concurrent saves succeed without a deadlock', async () => {
    const { token } = await makeOperator(server, admin);
    const keys = Array.from({ length: 8 }, (_, i) => `page.w${i}`);
    const saves = Array.from({ length: 10 }, (_, i) =>
      save(
        (i % 2 ? keys.toReversed() : keys).map((key) => ({ key, value: i })),
        token,
      ),
    );
    for (const { code } of await Promise.all(saves)) expect(code).toBe(200);
    expect(await stored(token)).toHaveLength(keys.length);
  });

  test('audits the keys but not the values', async () => {
    await save([{ key: 'view.1.columns', value: { order: ['secret-column'] } }]);
    const [row] = await server.query(
      sql<{ text: string; after: unknown }>`select t::text as text, t.after from audit t
        where action = 'preference.save' and operator_id = ${one.id} order by id desc limit 1`,
    );
    expect(row?.after).toEqual({ keys: ['view.1.columns'] });
    expect(row?.text).not.toContain('secret-column');
  });
});

test('row-level security restricts preferences to their operator', async () => {
  await save([{ key: 'theme', value: 'dark' }]);
  await save([{ key: 'theme', value: 'light' }], below.token);
  const scope = { kind: 'agents', ids: [one.id, below.id] } as const;
  const rows = await runInScope(server.app.requests, scope, one.id, async (db) => {
    await sql`update preference set updated_at = 0`.execute(db);
    return (await sql<{ operator_id: number }>`select operator_id from preference`.execute(db)).rows;
  });
  expect(new Set(rows.map(({ operator_id: id }) => id))).toEqual(new Set([one.id]));
  const foreign = runInScope(server.app.requests, scope, one.id, (db) =>
    sql`insert into preference (operator_id, key, value, updated_at) values (${below.id}, 'x', '1', 0)`.execute(db),
  );
  await expect(foreign).rejects.toMatchObject({ code: '42501' });
  const [{ touched } = { touched: -1 }] = await server.query(
    sql<{
      touched: number;
    }>`select count(*) as touched from preference where operator_id = ${below.id} and updated_at = 0`,
  );
  expect(touched).toBe(0);
});
