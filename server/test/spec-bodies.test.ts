// @module-tag full
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import type { Page } from '@hengtai/contract/wire/list';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import type { Endpoint, IdInput } from '@hengtai/contract/wire/schema';
import type { TSchema } from '@sinclair/typebox';
import { sql } from 'kysely';
import { isAmount, isId } from '../src/http/wire-values.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBinaryContract, makeContractUser, openContract } from './binary-contract.ts';
import { findUser, makeIeo, makeOperator, makeUser, makeWithdraw } from './factories.ts';
import { submitKyc } from './identity.ts';
import { fetchAuditRows } from './inspect.ts';
import { type TestServer, call, login, testServer } from './server.ts';
import { type SpecCase, type SpecWorld, makeSpecWorld, specCases } from './spec-cases.ts';

let server: TestServer;
let admin: string;
let world: SpecWorld;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  world = await makeSpecWorld(server, admin);
});
afterAll(() => server.stop());

type Fields = Record<string, unknown>;

const inputs: ReadonlyMap<string, TSchema> = new Map(
  Object.values<Readonly<Record<string, Endpoint>>>(endpoints).flatMap((calls) =>
    Object.values(calls).map(({ call: { path }, input }) => [path, input] as const),
  ),
);

const mapFields = (path: string, fields: Fields, change: (value: unknown, schema: TSchema) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, change(value, inputs.get(path)?.['properties'][field])]),
  );

/** The same fields as another client may write them. */
const spellings: Readonly<Record<string, (specCase: SpecCase, fields: Fields) => Fields>> = {
  'as in the specification': (_case, fields) => fields,
  'with ids as texts and amounts as numbers': ({ path }, fields) => {
    const respell = (value: unknown, schema: TSchema): unknown => {
      if (Array.isArray(value)) return value.map((one) => respell(one, schema['items']));
      const kinds: TSchema[] = schema['anyOf'] ?? [schema];
      if (typeof value === 'number' && kinds.some(isId)) return String(value);
      return typeof value === 'string' && kinds.some(isAmount) ? Number(value) : value;
    };
    return mapFields(path, fields, respell);
  },
  'with empty texts for what may be absent': ({ method, path }, fields) => {
    const blanks = Object.entries<TSchema>(inputs.get(path)?.['properties']).filter(([field, schema]) => {
      const isRequired = inputs.get(path)?.['required']?.includes(field) === true;
      const isText = ['reason', 'remark', 'agent', 'account', 'parentAccount'].includes(field) && !schema['readOnly'];
      return !isRequired && (method === 'GET' ? field in fields : isText);
    });
    return { ...fields, ...Object.fromEntries(blanks.map(([field]) => [field, ''])) };
  },
};

async function sendCase(specCase: SpecCase, fields: Fields): Promise<Envelope | 'file'> {
  const token = specCase.token ? await specCase.token(world) : admin;
  const texts = Object.entries(fields).map(([field, value]): [string, string] => [field, String(value)]);
  const response = await server.server.inject({
    method: specCase.method,
    url: `${API_BASE}${specCase.path}${specCase.method === 'GET' ? `?${new URLSearchParams(texts).toString()}` : ''}`,
    headers: { token },
    ...(specCase.method === 'POST' ? { payload: fields } : {}),
  });
  if (String(response.headers['content-type']).startsWith('application/json')) return response.json<Envelope>();
  expect(response.rawPayload.length).toBeGreaterThan(0);
  return 'file';
}

test('the cases cover the 75 calls of the specification', () => {
  expect(new Set(specCases.map(({ call: name }) => name)).size).toBe(75);
});

describe.each(Object.entries(spellings))(
  'a call needs only the fields of the specification, %s',
  (_spelling, spell) => {
    test.each(specCases.map((one, index) => [`${index + 1} ${one.path}`, one] as const))('%s', async (_name, one) => {
      const response = await sendCase(one, spell(one, await one.fields(world)));
      if (one.isFile) expect(response).toBe('file');
      else expect(response).toMatchObject({ code: one.code });
    });
  },
);

describe('lists', () => {
  test.each(['market/list', 'market/plan/list'])('%s filters by the id of the market', async (path) => {
    const response = await call<Page<{ id: number }>>(server, 'GET', path, { id: '2' }, { token: admin });
    expect(response.code).toBe(200);
    expect(new Set(response.data.list.map(({ id }) => id))).toEqual(new Set([2]));
  });

  test('future/close/history accepts every state of an order and refuses others', async () => {
    for (const state of [-1, 0, 1, 2, 3, 4]) {
      const response = await call(server, 'GET', 'future/close/history', { state }, { token: admin });
      expect(response, String(state)).toMatchObject({ code: 200 });
    }
    expect(await call(server, 'GET', 'future/close/history', { state: 9 }, { token: admin })).toMatchObject({
      code: 422,
    });
  });

  test('a list without pages validates page and size but returns all rows', async () => {
    for (const path of ['config/list', 'market/filter', 'export/list']) {
      const { data: allRows } = await call<unknown[]>(server, 'GET', path, {}, { token: admin });
      expect(await call(server, 'GET', path, { page: 2, size: 1 }, { token: admin })).toMatchObject({
        code: 200,
        data: allRows,
      });
      expect(await call(server, 'GET', path, { size: 201 }, { token: admin })).toMatchObject({ code: 422 });
    }
  });
});

describe('a missing reason', () => {
  const fetchReasons = async (requestId: string): Promise<string[]> =>
    (await fetchAuditRows(server, { requestId })).map(({ reason }) => reason);
  const makeFundedUser = (): Promise<string> => makeUser(server, { amount: '100000' });
  const cases: [string, string, () => Promise<object>][] = [
    [
      'a withdrawal',
      'withdraw/reject',
      async () => ({ id: (await makeWithdraw(server, admin, await makeFundedUser())).id }),
    ],
    [
      'an identity',
      'auth/review/reject',
      async () => ({ id: (await submitKyc(server, admin, await makeFundedUser())).id }),
    ],
    [
      'a subscription',
      'ieo/order/reject',
      async () => ({ id: (await makeIeo(server, admin, await makeFundedUser())).id }),
    ],
    ['assets', 'asset/active/add', async () => adjustment('10')],
    ['frozen assets', 'asset/frozen/add', async () => adjustment('10')],
  ];
  const adjustment = async (amount: string): Promise<object> => ({
    userId: (await findUser(server, admin, await makeFundedUser())).id,
    marketId: 1,
    platform: 1,
    amount,
    state: 0,
  });

  test.each(cases)('is marked as missing in the audit row: %s', async (_name, path, fields) => {
    const withoutReason = await call(server, 'POST', path, await fields(), { token: admin });
    expect(withoutReason).toMatchObject({ code: 200 });
    expect(await fetchReasons(withoutReason.requestId)).toEqual(['未填写']);
    const blankReason = await call(server, 'POST', path, { ...(await fields()), reason: '  ' }, { token: admin });
    expect(await fetchReasons(blankReason.requestId)).toEqual(['未填写']);
    const withReason = await call(server, 'POST', path, { ...(await fields()), reason: '核对' }, { token: admin });
    expect(await fetchReasons(withReason.requestId)).toEqual(['核对']);
  });

  test('is marked as missing when the request waits for a checker', async () => {
    const response = await call(server, 'POST', 'asset/active/add', await adjustment('5000'), { token: admin });
    expect(response).toMatchObject({ code: 202, data: { reason: '未填写' } });
    expect(await fetchReasons(response.requestId)).toEqual(['未填写']);
  });

  test('voids a contract that a checker passes', async () => {
    const no = await openContract(server, await makeContractUser(server));
    const input = { id: (await findBinaryContract(server, admin, no)).id, state: 0, type: 1 };
    const response = await call<IdInput>(server, 'POST', 'second/contract/change', input, { token: admin });
    expect(response).toMatchObject({ code: 202, data: { reason: '未填写' } });
    expect(await fetchReasons(response.requestId)).toEqual(['未填写']);
    const { token } = await makeOperator(server, admin, { abilities: [11, 13] });
    expect(await call(server, 'POST', 'approval/pass', { id: response.data.id }, { token })).toMatchObject({
      code: 200,
    });
    expect(await findBinaryContract(server, admin, no)).toMatchObject({ state: 2, reason: '' });
  });

  test('stays empty in the record and absent from the command', async () => {
    const { id } = await makeWithdraw(server, admin, await makeFundedUser());
    expect(await call(server, 'POST', 'withdraw/reject', { id }, { token: admin })).toMatchObject({
      data: { reason: '' },
    });
    const [command] = await server.query(
      sql<{ data: object }>`select data from command where type = 'withdraw.reviewed' and ref_id = ${id}`,
    );
    expect(command?.data).not.toHaveProperty('reason');
  });

  test.each(['withdraw/refund', 'withdraw/resolve', 'approval/reject', 'auth/reveal'])(
    'is refused by the call %s, which is not part of the specification',
    async (path) => {
      const fields = {
        id: 1,
        ...(path === 'withdraw/resolve' && { paid: true }),
      };
      const response = await call(server, 'POST', path, fields, { token: admin });
      expect(response).toMatchObject({ code: 422, data: [{ field: 'reason' }] });
    },
  );

  test('is an empty text for a call that expects no reason', async () => {
    const { id } = await findUser(server, admin, await makeUser(server));
    const { requestId } = await call(server, 'POST', 'user/trade/close', { id }, { token: admin });
    expect(await fetchReasons(requestId)).toEqual(['']);
    const { data } = await call<Page<AuditRow>>(server, 'GET', 'audit/list', { requestId }, { token: admin });
    expect(data.list).toHaveLength(1);
  });
});

describe('other optional fields', () => {
  test.each(['', 'x', null, {}, 200])('winRate %j with winType 0 is ignored', async (winRate) => {
    const { id } = await findUser(server, admin, await makeUser(server));
    await call(server, 'POST', 'user/second/change', { id, winType: 1, winRate: 90 }, { token: admin });
    const response = await call(server, 'POST', 'user/second/change', { id, winType: 0, winRate }, { token: admin });
    expect(response).toMatchObject({ code: 200, data: { winType: 0, winRate: null } });
  });

  test.each(['', 'x', {}, '0.5', 101])('winRate %j with winType 1 is refused', async (winRate) => {
    const response = await call(
      server,
      'POST',
      'user/second/change',
      { id: world.user.id, winType: 1, winRate },
      { token: admin },
    );
    expect(response).toMatchObject({ code: 422, data: [{ field: 'winRate' }] });
  });

  test('an announcement without a state is published', async () => {
    const item = { lang: 'en', title: 'News', content: '<p>News</p>', platform: 1 };
    for (const body of [{ announceList: [item] }, item])
      expect(await call(server, 'POST', 'announce/add', body, { token: admin })).toMatchObject({
        code: 200,
        data: [{ state: 1 }],
      });
  });

  test('the fields of a single announcement are checked like those of a list', async () => {
    const item = { lang: 'en', title: 'News', content: '<p>News</p>', platform: 1 };
    const { title: _title, ...untitled } = item;
    const add = (body: object) => call(server, 'POST', 'announce/add', body, { token: admin });
    expect(await add({})).toMatchObject({ code: 422, data: [{ field: 'announceList', msg: '请输入公告' }] });
    expect(await add(untitled)).toMatchObject({ code: 422, data: [{ field: 'title', msg: '请输入标题' }] });
    expect(await add({ ...item, announceList: [item] })).toMatchObject({
      code: 422,
      data: [{ field: 'announceList' }],
    });
  });

  test('an error inside a list is reported by its path', async () => {
    const item = { lang: 'en', title: 'News', content: '', platform: 1 };
    const response = await call(
      server,
      'POST',
      'announce/add',
      {
        announceList: [
          { ...item, state: 0 },
          { ...item, lang: 'xx' },
        ],
      },
      { token: admin },
    );
    expect(response).toMatchObject({
      code: 422,
      data: [{ field: 'announceList/1/lang', msg: '公告第 2 项的语言格式不正确' }],
    });
  });

  test('market/save keeps omitted fields, and creates a new market with everything off', async () => {
    const added = await call<{ id: number; version: number }>(
      server,
      'POST',
      'market/save',
      { marketName: 'SPECNEW' },
      { token: admin },
    );
    expect(added).toMatchObject({ code: 200, data: { state: 0, spot: 0, withdrawState: 0, networks: [] } });
    const { id } = added.data;
    const changed = await call(server, 'POST', 'market/save', { id, sort: 7 }, { token: admin });
    expect(changed).toMatchObject({
      code: 200,
      data: { marketName: 'SPECNEW', sort: 7, pricePrecision: 8, version: 2 },
    });
    expect(await call(server, 'POST', 'market/save', { id, sort: 8, version: 1 }, { token: admin })).toMatchObject({
      code: 409,
    });
    expect(await call(server, 'POST', 'market/save', { id, makerFee: '0.5' }, { token: admin })).toMatchObject({
      code: 422,
      data: [{ field: 'makerFee' }],
    });
    expect(await call(server, 'POST', 'market/save', {}, { token: admin })).toMatchObject({
      code: 422,
      data: [{ field: 'marketName' }],
    });
  });

  test('second/config/save keeps omitted fields', async () => {
    const added = await call<{ id: number }>(
      server,
      'POST',
      'second/config/save',
      { seconds: 86_399, payoutRate: '80', minAmount: '5' },
      { token: admin },
    );
    expect(added).toMatchObject({ code: 200, data: { marketId: 0, maxAmount: '0', sort: 0, state: 1 } });
    const { id } = added.data;
    const changed = await call(server, 'POST', 'second/config/save', { id, state: 0 }, { token: admin });
    expect(changed).toMatchObject({ code: 200, data: { seconds: 86_399, payoutRate: '80', minAmount: '5', state: 0 } });
    expect(await call(server, 'POST', 'second/config/save', { id, maxAmount: '1' }, { token: admin })).toMatchObject({
      code: 422,
      data: [{ field: 'maxAmount' }],
    });
    expect(await call(server, 'POST', 'second/config/save', { payoutRate: '80' }, { token: admin })).toMatchObject({
      code: 422,
      data: [{ field: 'seconds' }],
    });
  });
});
