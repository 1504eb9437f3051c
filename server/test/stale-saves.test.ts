// @module-tag full
import { endpoints } from '@hengtai/contract/index.schema';
import type { RecordConflict } from '@hengtai/contract/wire/envelope';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refuseStaleSave } from '../src/actions/stale-save.ts';
import { setPolicy } from './inspect.ts';
import { fetchCoin, saveBudget } from './auto-payout.ts';
import { makeMarket } from './book.ts';
import { type TestOperator, makeOperator, makeUser, findUser } from './factories.ts';
import { addSignal } from './follow.ts';
import { keyInput } from './gateway-key.ts';
import { ruleInput } from './rules.ts';
import { type TestServer, call, login, testServer, unique } from './server.ts';

let server: TestServer;
let admin: string;
/** An operator of an agent, whose scope the admin is outside of. */
let agent: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: [1, 5, 6, 7, 8, 9, 12] });
});
afterAll(() => server.stop());

type Fields = Readonly<Record<string, unknown>>;

const calls = Object.values<Readonly<Record<string, Endpoint>>>(endpoints).flatMap((group) => Object.values(group));

const post = <T = Fields>(path: string, body: object, token = admin) => call<T>(server, 'POST', path, body, { token });
async function make<T = Fields>(path: string, body: object): Promise<T> {
  const { code, msg, data } = await post<T>(path, body);
  if (code !== 200) throw new Error(`${path}: ${msg}`);
  return data;
}
/** Reads one record. */
async function read<T = Fields>(path: string, input: object): Promise<T> {
  const one = calls.find((spec) => spec.call.path === path)?.call;
  return (await call<T>(server, one?.method ?? 'GET', path, input, { token: admin })).data;
}
/** The first row of a list that has these values. */
async function find(path: string, values: Fields, query: object = {}): Promise<Fields> {
  const data = await read<{ list?: Fields[] } & Fields[]>(path, query);
  const rows = data.list ?? data;
  const row = rows.find((one) => Object.entries(values).every(([field, value]) => one[field] === value));
  if (!row) throw new Error(`${path} has no such row`);
  return row;
}

interface SaveCase {
  /** Makes a record and returns what reads it. */
  make: () => Promise<() => Promise<Fields>>;
  /** The field that everybody changes, and its value before, by the first and by the second person. */
  field: string;
  values: () => readonly [unknown, unknown, unknown];
  /** What the second person is told. */
  label: string;
  texts?: readonly [before: string, after: string];
  /** An operator of an agent can save it. */
  agents?: 'house' | 'owned';
}

const names = () => [unique('a'), unique('b'), unique('c')] as const;
const seenOf = (row: Fields): Fields => ({ ...row, seen: row['updatedAt'] });
const TIME = { period: 0, day: 1, hour: 3, range: 1 };

async function makeMarketRow(): Promise<() => Promise<Fields>> {
  const marketName = await makeMarket(server);
  const { id } = await find('market/list', { marketName }, { marketName });
  return () => read('market/detail', { id: Number(id) });
}

const cases: Readonly<Record<string, SaveCase>> = {
  'agent/remark': {
    make: async () => {
      const { id } = await makeOperator(server, admin, { parent: agent.account });
      return async () => (await read<{ row: Fields }>('agent/detail', { id })).row;
    },
    field: 'remark',
    values: names,
    label: '备注',
    agents: 'owned',
  },
  'user/remark': {
    make: async () => {
      const { id } = await findUser(server, admin, await makeUser(server, { agent: agent.account }));
      return async () => (await read<{ row: Fields }>('user/detail', { id })).row;
    },
    field: 'remark',
    values: names,
    label: '备注',
    agents: 'owned',
  },
  'user/second/change': {
    make: async () => {
      const { id } = await findUser(server, admin, await makeUser(server));
      await make('user/second/change', { id, winType: 1, winRate: '80' });
      return async () => (await read<{ row: Fields }>('user/detail', { id })).row;
    },
    field: 'winRate',
    values: () => ['85', '86', '87'],
    label: '收益率',
    texts: ['85%', '86%'],
  },
  'market/save': {
    make: makeMarketRow,
    field: 'withdrawMin',
    values: () => ['1', '5', '6'],
    label: '最小提现',
    agents: 'house',
  },
  'config/save': {
    make: async () => async () => seenOf(await find('config/list', { key: 'withdraw.credentialHours' })),
    field: 'num',
    values: () => ['30', '31', '32'],
    label: '数值',
  },
  'announce/save': {
    make: async () => {
      const item = { lang: 'zh-CN', content: '<p>公告</p>', platform: 0, title: '公告' };
      const [row] = await make<{ id: number }[]>('announce/add', { announceList: [item] });
      return async () => seenOf(await read('announce/detail', { id: row?.id }));
    },
    field: 'title',
    values: names,
    label: '标题',
    agents: 'house',
  },
  'view/save': {
    make: async () => {
      const list = 'withdraw/list';
      const { id } = await make('view/save', { list, name: unique('视图'), query: 'state=0', shared: 0 });
      return () => find('view/list', { id }, { list });
    },
    field: 'name',
    values: names,
    label: '名称',
  },
  'schedule/save': {
    make: async () => {
      const what = { list: 'withdraw/list', query: 'state=0', format: 'csv' };
      const { id } = await make('schedule/add', { ...what, name: unique('日报'), ...TIME });
      return () => find('schedule/list', { id });
    },
    field: 'name',
    values: names,
    label: '名称',
  },
  'market/plan/save': {
    make: async () => {
      const id = Number((await (await makeMarketRow())())['id']);
      const band = { marketType: 1, minPrice: '90', planPrice: '100', maxPrice: '105', planState: 0, planMinute: 5 };
      await make('market/plan/save', { id, ...band });
      await make('plan/permission/save', { marketId: id, agent: [agent.account] });
      return () => find('market/plan/list', { id, marketType: 1 }, { id, size: 200 });
    },
    field: 'maxPrice',
    values: () => ['110', '120', '130'],
    label: '上限',
    agents: 'house',
  },
  'plan/permission/save': {
    make: async () => {
      const id = Number((await (await makeMarketRow())())['id']);
      return () => read('plan/permission/detail', { id });
    },
    field: 'agent',
    values: () => [[agent.account], [], [agent.account]],
    label: '授权代理',
    texts: ['', '（空）'],
  },
  'second/config/save': {
    make: async () => {
      const seconds = 1_000 + Number(unique('').replace(/\D/g, ''));
      const { id } = await make('second/config/save', { seconds, payoutRate: '0.8', minAmount: '1' });
      return () => find('second/config/list', { id });
    },
    field: 'payoutRate',
    values: () => ['0.81', '0.82', '0.83'],
    label: '收益率(%)',
  },
  'signal/change': {
    make: async () => {
      const { id } = await addSignal(server, admin, { state: 0 });
      return () => read('signal/detail', { id });
    },
    field: 'title',
    values: names,
    label: '标题',
    agents: 'house',
  },
  'service/reply/save': {
    make: async () => {
      const { id } = await make('service/reply/save', { title: unique('回复'), text: '您好', shared: 0 });
      return () => find('service/reply/list', { id });
    },
    field: 'title',
    values: names,
    label: '标题',
  },
  'gateway_key/save': {
    make: async () => {
      const { id } = await make('gateway_key/save', keyInput());
      return async () => {
        const { keys } = await read<{ keys: Fields[] }>('gateway_key/list', {});
        return seenOf(keys.find((key) => key['id'] === id) ?? {});
      };
    },
    field: 'name',
    values: names,
    label: '名称',
  },
  'gateway_key/platform_save': {
    make: async () => {
      const { id } = await make('gateway_key/platform_save', { name: unique('平台'), markets: ['BTC'] });
      return async () => {
        const { platforms } = await read<{ platforms: Fields[] }>('gateway_key/list', {});
        return seenOf(platforms.find((platform) => platform['id'] === id) ?? {});
      };
    },
    field: 'name',
    values: names,
    label: '名称',
  },
  'withdraw/auto/save': {
    make: async () => {
      await saveBudget(server, admin, { on: false });
      return async () => {
        const coin = await fetchCoin(server, admin);
        return { marketId: 1, seen: coin?.updatedAt, ...coin?.budget };
      };
    },
    field: 'dayCount',
    values: () => [10, 11, 12],
    label: '每日笔数',
    texts: ['10', '11'],
  },
  'rule/save': {
    make: async () => {
      const { id } = await make('rule/save', ruleInput());
      return async () => seenOf((await read<{ row: Fields }>('rule/detail', { id })).row);
    },
    field: 'unknownHits',
    values: () => [true, false, true],
    label: '规则',
    texts: ['视为命中', '视为未命中'],
  },
  'withdraw/limit/save': {
    make: async () => {
      const terms = {
        singleMin: null,
        singleMax: null,
        dayAmount: null,
        dayCount: null,
        feeFixed: null,
        feeRate: null,
      };
      const tier = { marketId: 1, level: 0 };
      await make('withdraw/limit/save', { ...tier, seen: 0, withdrawState: null, ...terms });
      return async () => {
        const [last] = await read<Fields[]>('withdraw/limit/versions', tier);
        return { ...last, ...tier, groupId: undefined, seen: last?.['version'] };
      };
    },
    field: 'singleMin',
    values: () => ['1', '2', '3'],
    label: '单笔最小',
  },
  'user/group/save': {
    make: async () => {
      const { id } = await make('user/group/save', { name: unique('组'), forAgents: true });
      return () => find('user/group/list', { id });
    },
    field: 'name',
    values: names,
    label: '名称',
  },
};

/** Calls that name what was read, but save no fields. */
const NO_SAVES: Readonly<Record<string, string>> = {
  'config/restore': 'refused as config/save',
  'withdraw/auto/start': 'refused as withdraw/auto/save',
  'rule/state': 'refused as rule/save',
  'service/close': 'names the last message',
  'screening/withdraw/bypass': 'names what was found',
  'screening/auth/bypass': 'names what was found',
};

type Mark = 'seen' | 'version' | 'updatedAt';
const MARKS: readonly Mark[] = ['seen', 'version', 'updatedAt'];

/** Every call whose input says what its caller has read. */
const marked = calls.flatMap(({ call: { method, path }, input }) => {
  const fields: Fields = (input['properties'] as Fields | undefined) ?? {};
  const marks = MARKS.filter((mark) => Object.hasOwn(fields, mark));
  return method === 'POST' && marks.length > 0 ? [{ path, fields, marks }] : [];
});

test('every save that names what was read is listed here', () => {
  expect(marked.map(({ path }) => path).toSorted()).toEqual(
    [...Object.keys(cases), ...Object.keys(NO_SAVES)].toSorted(),
  );
});

const variants = marked.flatMap(({ path, fields, marks }) => {
  const one = cases[path];
  return one ? marks.map((mark) => ({ path, mark, fields, ...one })) : [];
});
type Variant = (typeof variants)[number];

/** The body of a save: the fields that the call sets, and the mark of what was read. */
const bodyOf = ({ fields, mark }: Variant, row: Fields, changes: object): Fields =>
  Object.fromEntries(
    Object.entries({ ...row, ...changes }).filter(
      ([field, value]) =>
        value !== undefined &&
        Object.hasOwn(fields, field) &&
        ((fields[field] as { readOnly?: boolean }).readOnly !== true || field === mark) &&
        (field === mark || !(MARKS as readonly string[]).includes(field)),
    ),
  );

/** Two persons read the same record; the admin saves first. Earlier changes are no news to the second person. */
async function saveTwice(one: Variant, token: string) {
  const read = await one.make();
  const [earlier, first, second] = one.values();
  const save = async (row: Fields, value: unknown, as = admin) => {
    server.clock.move(1_000);
    return post(one.path, bodyOf(one, row, { [one.field]: value }), as);
  };
  expect(await save(await read(), earlier)).toMatchObject({ code: 200 });
  const row = await read();
  const from = server.clock.now();
  expect(await save(row, first)).toMatchObject({ code: 200 });
  const to = server.clock.now();
  const refused = await save(row, second, token);
  return {
    refused: { ...refused, data: refused.data as unknown as RecordConflict },
    from,
    to,
    texts: one.texts ?? [earlier, first],
  };
}

const textWith = (part: unknown): unknown => expect.stringContaining(String(part));

describe('a save of a record that another person saved meanwhile', () => {
  test.each(variants.map((one) => [one.path, one.mark, one] as const))(
    '%s names what changed since its %s, with both values, by whom and when',
    async (_path, _mark, one) => {
      const { refused, from, to, texts } = await saveTwice(one, admin);
      const [before, after] = texts.map((text) => (text === '' ? agent.account : text));
      expect(refused).toMatchObject({ code: 409, data: { by: 'admin' } });
      const { fields } = refused.data;
      expect(fields).toMatchObject([
        { label: one.label, before: textWith(before), after: textWith(after), by: 'admin' },
      ]);
      expect(fields[0]?.at).toBeGreaterThan(from);
      expect(fields[0]?.at).toBeLessThanOrEqual(to);
      const [field] = fields;
      expect(refused.msg).toContain(`记录已变化：${one.label} ${field?.before} → ${field?.after}（admin，`);
    },
  );

  test.each(variants.filter(({ agents }) => agents).map((one) => [one.path, one.mark, one] as const))(
    '%s names nobody outside the scope of the caller: by %s',
    async (_path, _mark, one) => {
      const { refused, texts } = await saveTwice(one, agent.token);
      const [before, after] = texts;
      expect(refused).toMatchObject({ code: 409, data: { by: null, at: expect.any(Number) as number } });
      expect(refused.msg).not.toContain('admin');
      expect(JSON.stringify(refused.data)).not.toContain('admin');
      // What a user or an agent was while it belonged to another tree is not shown either.
      expect(refused.data.fields).toMatchObject(
        one.agents === 'owned' ? [] : [{ label: one.label, before, after, by: null }],
      );
    },
  );

  test('takes a request that nobody passed for no change', async () => {
    const readRow = await makeMarketRow();
    const row = await readRow();
    const save = (version: unknown, withdrawMin: string) =>
      post('market/save', { id: row['id'], version, withdrawMin });
    expect(await save(row['version'], '2')).toMatchObject({ code: 200 });
    await setPolicy(server, 'market.save', 1);
    const asked = await save((await readRow())['version'], '3');
    expect(asked).toMatchObject({ code: 202 });
    const { id } = asked.data as unknown as { id: number };
    expect(await post('approval/cancel', { id })).toMatchObject({ code: 200 });
    await setPolicy(server, 'market.save', 0);
    expect(await save(row['version'], '9')).toMatchObject({
      code: 409,
      data: { fields: [{ label: '最小提现', before: '0', after: '2', by: 'admin' }] },
    });
  });

  test('names who changed each field last', async () => {
    const readRow = await makeMarketRow();
    const row = await readRow();
    const save = async (changes: object, token: string) => {
      server.clock.move(1_000);
      const variant = variants.find(({ path, mark }) => path === 'market/save' && mark === 'version');
      return variant && post('market/save', bodyOf(variant, await readRow(), changes), token);
    };
    await save({ withdrawMin: '2', sort: 3 }, admin);
    await save({ withdrawMin: '4', maxLeverage: 5 }, agent.token);
    await save({ sort: Number(row['sort']) }, admin);
    const change = { id: row['id'], version: row['version'], withdrawMin: '9' };
    const expected = (by: string | null) => ({
      code: 409,
      data: {
        by,
        fields: [
          { label: '最高杠杆', before: '1', after: '5', by: agent.account },
          { label: '最小提现', before: '0', after: '4', by: agent.account },
        ],
      },
    });
    expect(await post('market/save', change)).toMatchObject(expected('admin'));
    expect(await post('market/save', change, agent.token)).toMatchObject(expected(null));
  });

  test('shows long texts where they differ', async () => {
    const content = (word: string) => `<p>${'公告'.repeat(100)}${word}${'结束'.repeat(100)}</p>`;
    const item = { lang: 'zh-CN', content: content('旧'), platform: 0, title: '公告' };
    const [row] = await make<{ id: number; updatedAt: number }[]>('announce/add', { announceList: [item] });
    server.clock.move(1_000);
    const save = (word: string) => post('announce/save', { id: row?.id, content: content(word), seen: row?.updatedAt });
    expect(await save('新')).toMatchObject({ code: 200 });
    const [field] = ((await save('别')).data as unknown as RecordConflict).fields;
    for (const [text, word] of [
      [field?.before, '旧'],
      [field?.after, '新'],
    ] as const) {
      expect(text).toContain(`公告${word}结束`);
      expect(text?.length).toBeLessThanOrEqual(102);
    }
  });

  test('says when, if no audit row has the fields', async () => {
    const readRow = await makeMarketRow();
    const row = await readRow();
    await server.query(sql`update market set version = version + 1, updated_by = null where id = ${row['id']}`);
    const change = { id: row['id'], version: row['version'], withdrawMin: '9' };
    expect(await post('market/save', change)).toMatchObject({
      code: 409,
      msg: expect.stringMatching(/^记录已变化（[^，]+ UTC）$/) as string,
      data: { by: null, at: row['updatedAt'], fields: [] },
    });
  });

  test('of a version that does not exist names no change', async () => {
    const row = await (await makeMarketRow())();
    const save = (version: number, withdrawMin: string) => post('market/save', { id: row['id'], version, withdrawMin });
    for (const [version, value] of ['1', '2', '3'].entries())
      expect(await save(Number(row['version']) + version, value)).toMatchObject({ code: 200 });
    expect(await save(Number(row['version']) + 4, '9')).toMatchObject({ code: 409, data: { fields: [] } });
  });

  test('is refused without a name where the answer is stored for others', () => {
    const current = { state: 1, by: 'admin', at: 0 };
    const refused = refuseStaleSave({ target: { type: 'market', id: 1 }, versions: 1, current });
    expect(refused).toMatchObject({ message: refusals.saveConflict.msg, data: null });
  });
});
