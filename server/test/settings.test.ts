// @module-tag full
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchAuditRows } from './inspect.ts';
import { type TestServer, apply, call, login, testServer, unique } from './server.ts';
import { type SpecWorld, makeSpecWorld, specCases } from './spec-cases.ts';
import { readOnlyFieldsOf } from '../src/http/read-only.ts';

let server: TestServer;
let admin: string;
let world: SpecWorld;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  world = await makeSpecWorld(server, admin);
});
afterAll(() => server.stop());

const post = <T = object>(path: string, body: object) => call<T>(server, 'POST', path, body, { token: admin });

/** Calls that set values of a record. Decisions, such as a review, are not among them: they are made once. */
const SETTINGS =
  /^(agent\/(state|remark|ieo_review|parent)|user\/(state|ieo_|trade|ai|second|agent)|fund\/record\/state|(market|market\/plan|plan\/permission|second\/config|announce|config)\/save$|signal\/change)/;
const settings = specCases.filter(({ method, path }) => method === 'POST' && SETTINGS.test(path));

test.each(settings.map((one, index) => [`${index + 1} ${one.path}`, one] as const))(
  'setting again what is set has no effect: %s',
  async (_name, one) => {
    const fields = await one.fields(world);
    const { code, data } = await post(one.path, fields);
    expect(code).toBe(200);
    const again = await post(one.path, fields);
    expect(again).toMatchObject({ code: 200, data });
    expect(await fetchAuditRows(server, again)).toMatchObject([{ result: 200, after: { unchanged: true } }]);
  },
);

type Row = Readonly<Record<string, unknown>>;

/** The calls that save a record, with the call whose answer has it. */
const saves = Object.values<Readonly<Record<string, Endpoint>>>(endpoints).flatMap((calls) =>
  Object.values(calls).flatMap(({ call: save, input }) => {
    const [name = '', ...fields] = save.record?.split('.') ?? [];
    const read = calls[name]?.call;
    return read ? [{ path: save.path, input, read, fields }] : [];
  }),
);
type SaveCase = (typeof saves)[number];

/** Saves of which nothing that can be sent back is answered. */
const WITHOUT_RECORD: Readonly<Record<string, string>> = {
  'preference/save': 'saves keys, of which none is a record',
  'channel/save': 'the answer masks the address',
  'rule/save': 'requires the version that was read',
  'withdraw/limit/save': 'requires the version that was read',
  'withdraw/auto/save': 'the answer has the budget apart from its coin',
};

/** Makes a record, and returns what reads it. */
const makers: Readonly<Record<string, () => Promise<object>>> = {
  'user/detail': async () => ({ id: world.user.id }),
  'agent/detail': async () => ({ id: world.agent.id }),
  'announce/detail': () => caseFields('announce/detail'),
  'signal/detail': () => caseFields('signal/change'),
  'market/detail': async () => ({ id: 2 }),
  'plan/permission/detail': async () => ({ id: 2 }),
  'config/list': async () => ({}),
  'market/plan/list': async () => {
    await post('market/plan/save', await caseFields('market/plan/save'));
    return {};
  },
  'second/config/list': async () => ({}),
  'schedule/list': async () => {
    const time = { period: 0, day: 1, hour: 3, range: 1 };
    await post('schedule/add', {
      list: 'withdraw/list',
      query: 'state=0',
      name: unique('日报'),
      format: 'csv',
      ...time,
    });
    return {};
  },
  'view/list': async () => {
    await post('view/save', { list: 'withdraw/list', name: unique('视图'), query: 'state=0', shared: 0 });
    return { list: 'withdraw/list' };
  },
  'service/reply/list': async () => {
    await post('service/reply/save', { title: unique('回复'), text: '您好', shared: 0 });
    return {};
  },
  'user/group/list': async () => {
    await post('user/group/save', { name: unique('组'), forAgents: true });
    return {};
  },
  'gateway_key/list': async () => {
    const terms = { rights: ['tick'], addresses: [], expiresAt: null, nonce: 0 };
    await post('gateway_key/save', { name: unique('key'), ...terms });
    return {};
  },
};

const caseFields = async (path: string): Promise<Row> =>
  (await specCases.find((one) => one.path === path)?.fields(world)) ?? {};

/** At most three of the records that an answer has. */
async function fetchRecords({ read, fields }: SaveCase, input: object): Promise<Row[]> {
  const { code, data } = await call(server, read.method, read.path, pick(input), { token: admin });
  expect(code).toBe(200);
  const rowsOf = (value: unknown): unknown[] => {
    const rows: unknown = typeof value === 'object' && value !== null && 'list' in value ? value.list : value;
    return Array.isArray(rows) ? rows : [rows];
  };
  const found = fields.reduce<unknown[]>(
    (values, field) => values.flatMap((value) => rowsOf(Reflect.get(value as object, field))),
    rowsOf(data),
  );
  return (found as Row[]).slice(0, 3);
}

const pick = (input: object): object => ('id' in input ? { id: input.id } : input);

/** Another value of the same kind. */
function alter(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, 1];
  return typeof value === 'string' ? `${value}1` : '1';
}

describe('a record that is sent back', () => {
  test('every save either takes its record or is listed here', () => {
    const all: CallSpec[] = Object.values<Readonly<Record<string, Endpoint>>>(endpoints).flatMap((calls) =>
      Object.values(calls).map((one) => one.call),
    );
    const saving = all.filter(({ path }) => /(^|[/_])save$|^signal\/change$/.test(path));
    expect(saving.filter(({ record, path }) => (record === undefined) !== path in WITHOUT_RECORD)).toEqual([]);
    expect(saves.length).toBeGreaterThan(14);
  });

  test.each(saves.map((one) => [one.path, one] as const))('whole has no effect: %s', async (path, one) => {
    const input = (await makers[one.read.path]?.()) ?? {};
    const records = await fetchRecords(one, input);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      const answer = await post(path, record);
      expect([answer.msg, answer.code]).toEqual(['操作成功', 200]);
      expect(await fetchAuditRows(server, answer)).toMatchObject([{ after: { unchanged: true } }]);
    }
    expect(await fetchRecords(one, input)).toEqual(records);
  });

  test.each(saves.map((one) => [one.path, one] as const))(
    'with another value of a field that it cannot set is refused: %s',
    async (path, one) => {
      const [record] = await fetchRecords(one, (await makers[one.read.path]?.()) ?? {});
      for (const field of readOnlyFieldsOf(one.input)) {
        const answer = await post(path, { ...record, [field]: alter(record?.[field]) });
        expect(answer, field).toMatchObject({ code: 422 });
        expect(answer.data, field).toMatchObject([{ field: expect.stringContaining(field) as string }]);
      }
    },
  );

  test.each(['market/save', 'market/plan/save'])('may have a price that has moved since: %s', async (path) => {
    const one = saves.find((save) => save.path === path);
    if (!one) throw new Error(`${path} takes no record`);
    const fetchRecord = async () =>
      (await fetchRecords(one, (await makers[one.read.path]?.()) ?? {})).find(({ id }) => id === 2) ?? {};
    const read = await fetchRecord();
    server.clock.move(1_000);
    const next = String(Number(read['price']) + 1);
    await apply(server, { type: 'tick', data: { market: 'BTC', price: next, at: server.clock.now() } });
    expect(await fetchRecord()).toMatchObject({ price: next });
    expect(await post(path, read)).toMatchObject({ code: 200, data: { price: next } });
    expect(await post(path, { ...read, price: '1' })).toMatchObject({ code: 422, data: [{ field: 'price' }] });
  });

  test('is refused if another person has saved since it was read', async () => {
    const read = (await post<Row>('market/detail', { id: 3 })).data;
    const { version: _version, ...unversioned } = read;
    expect(await post('market/save', { ...read, sort: 77 })).toMatchObject({ code: 200 });
    for (const stale of [read, unversioned])
      expect(await post('market/save', { ...stale, sort: 78 })).toMatchObject({ code: 409 });
    expect(await post('market/save', { ...read, sort: 77 })).toMatchObject({ code: 200 });
  });
});
