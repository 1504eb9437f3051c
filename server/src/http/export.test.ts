// @module-tag full
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import { isExportable } from '@hengtai/contract/desk/export/calls';
import type { LedgerEntryRow } from '@hengtai/contract/funds/ledger-entry/schema';
import { nouns } from '@hengtai/contract/index';
import { endpoints } from '@hengtai/contract/index.schema';
import type { ListColumn, Page } from '@hengtai/contract/wire/list';
import { canonical } from '@hengtai/contract/values/money';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { recharge } from '@hengtai/contract/funds/recharge/calls';
import type { RechargeRow, RechargeSum } from '@hengtai/contract/funds/recharge/schema';
import { array, assert, asyncProperty, bigInt, integer, tuple } from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseCsv } from '../../test/csv.ts';
import { type RechargeValues, exportFile, insertRecharges } from '../../test/export.ts';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { call, fetchData, login, provideServer, unique } from '../../test/server.ts';
import { type Sheet, dataOf, readXlsx, valuesOf } from '../../test/xlsx.ts';

const server = provideServer({ jobs: false });
let admin: string;
let agents: Record<'own' | 'low' | 'beside', TestOperator>;
let owners: { id: number; agent: number }[];

const T0 = 1_700_000_000_123;
const ROWS = 450;

beforeAll(async () => {
  admin = await login(server);
  const own = await makeOperator(server, admin, { account: 'exp.own', abilities: [10] });
  const low = await makeOperator(server, admin, { account: 'exp.low', parent: own.account });
  const beside = await makeOperator(server, admin, { account: 'exp.beside', abilities: [10, 3] });
  agents = { own, low, beside };
  for (const { account } of [own, low, beside]) {
    const user = await makeUser(server, { account: `${account}.user`, agent: account, amount: '1000.5' });
    const row = await makeWithdraw(server, admin, user, { amount: '10.000000000000000001', fee: '1' });
    await call(server, 'POST', 'withdraw/reject', { id: row.id, reason: '=1+1' }, { token: admin });
  }
  owners = await server.query(sql<{ id: number; agent: number }>`select id, agent_id as agent from users order by id`);
  await insertRecharges(
    server,
    Array.from({ length: ROWS }, (_, i) => recharged(i)),
  );
});

function recharged(i: number): RechargeValues {
  const owner = owners[i % owners.length] ?? { id: 0, agent: 0 };
  return {
    no: unique('N-'),
    userId: owner.id,
    agentId: owner.agent,
    marketId: 1 + (i % 3),
    amount: `${i * 7919}.${String(i * 1_000_003).padStart(18, '1')}`,
    state: i % 5,
    remark: ['', '=cmd|calc', '🙂 行\n二', '"quoted", with comma', '+1'][i % 5] ?? '',
    createdAt: T0 + (i % 40) * 60_000,
  };
}

const sheetsOf = async (path: string, input: object, token = admin): Promise<Sheet[]> =>
  readXlsx((await exportFile(server, path, input, token)).bytes);

describe('the call', () => {
  test.each([{}, { account: '', agent: '' }, { account: '', agent: '', state: -1, from: '', sort: '' }])(
    '%j exports the whole list with Chinese column titles',
    async (input) => {
      const file = await exportFile(server, 'recharge/excel', input, admin);
      expect(file.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
      expect(file.headers['content-disposition']).toMatch(
        /^attachment; filename="recharge-\d{8}-\d{6}\.xlsx"; filename\*=UTF-8''%E5%85%85%E5%80%BC%E8%AE%B0%E5%BD%95-\d{8}-\d{6}\.xlsx$/,
      );
      expect(file.headers['cache-control']).toBe('no-store');
      expect(file.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      const sheets = readXlsx(file.bytes);
      expect(sheets.map(({ name }) => name)).toEqual(['充值记录', '说明']);
      const titles = recharge.list.list.columns.map(({ title, kind }) =>
        kind === 'time' ? `${title} (Asia/Shanghai)` : title,
      );
      expect(dataOf(sheets[0])[0]).toEqual(titles);
      expect(dataOf(sheets[0])).toHaveLength(1 + ROWS + owners.length);
    },
  );

  test('exports the given columns in their order, with their titles and in the given zone', async () => {
    const input = {
      columns: ['createdAt', { field: 'amount', title: '充值数量' }, { field: 'account', title: ' ' }, 'id'],
      zone: 'America/New_York',
      id: Number((await server.query(sql<{ id: number }>`select min(id) as id from recharge`))[0]?.id),
    };
    const [first, second] = await exportFile(server, 'recharge/excel', { ...input, format: 'csv' }, admin).then(
      ({ text }) => parseCsv(text),
    );
    expect(first).toEqual(['时间 (America/New_York)', '充值数量', '账号', '编号']);
    const [row] = await server.query(sql<{ at: number }>`select created_at as at from recharge where id = ${input.id}`);
    const localTime = new Date(row?.at ?? 0).toLocaleString('sv', { timeZone: 'America/New_York' });
    expect(second?.[0]).toBe(localTime);
  });

  test.each([
    [{ zone: 'Mars/Olympus' }, 'zone', '时区不存在'],
    [{ columns: ['id', { field: 'id' }] }, 'columns', '列不能重复'],
    [{ columns: ['password'] }, 'columns/0', '列第 1 项格式不正确'],
    [{ columns: ['explorer'] }, 'columns/0', '列第 1 项格式不正确'],
    [{ format: 'pdf' }, 'format', '文件格式格式不正确'],
    [{ page: 1 }, 'page', '不支持的字段：page'],
    [{ sort: 'remark' }, 'sort', '排序格式不正确'],
  ])('refuses %j before the ability is checked', async (input, field, msg) => {
    for (const token of [admin, agents.low.token]) {
      const { envelope, status } = await exportFile(server, 'recharge/excel', input, token);
      expect([status, envelope]).toEqual([200, { code: 422, msg, data: [{ field, msg }] }]);
    }
  });

  test('requires both abilities for the audit log', async () => {
    expect((await exportFile(server, 'audit/excel', {}, agents.own.token)).envelope).toMatchObject({ code: 403 });
    const auditor = await makeOperator(server, admin, { abilities: [12] });
    expect((await exportFile(server, 'audit/excel', {}, auditor.token)).envelope).toMatchObject({ code: 403 });
    const both = await makeOperator(server, admin, { abilities: [10, 12] });
    expect((await exportFile(server, 'audit/excel', {}, both.token)).envelope).toBeUndefined();
  });

  test('writes the recorded states of the audit log in words, without names of the code', async () => {
    const { id } = await makeOperator(server, admin);
    await call(server, 'POST', 'agent/remark', { id, remark: '华南' }, { token: admin });
    const input = { action: 'agent.remark', targetId: id, columns: ['targetType', 'before', 'after'], format: 'csv' };
    const { text } = await exportFile(server, 'audit/excel', input, admin);
    expect(parseCsv(text)).toEqual([
      ['对象', '变更前', '变更后'],
      [`代理 #${id}`, '备注：（空）', '备注：华南'],
    ]);
  });
});

/** The expected text of a cell, computed from the row of the list call. */
function expectedText({ field, kind, labels, text }: ListColumn, row: Record<string, unknown>): string {
  const value = row[field];
  const label = (one: unknown): string => labels?.[String(one)] ?? String(one);
  const timeText = (ms: number): string => new Date(ms).toLocaleString('sv', { timeZone: 'Asia/Shanghai' });
  if (text) return text(row as never, timeText);
  if (value === null) return '';
  if (kind === 'time') return timeText(Number(value));
  if (Array.isArray(value)) return value.map(label).join('、');
  return label(value);
}

/** The date of an xlsx cell as text, computed independently of the writer. */
const dateText = (serial: string): string =>
  new Date(Math.round((Number(serial) - 25_569) * 86_400) * 1000).toISOString().slice(0, 19).replace('T', ' ');

const exportable: [string, string, CallSpec & { columns: readonly ListColumn[] }][] = Object.entries(nouns).flatMap(
  ([noun, calls]) =>
    Object.entries<CallSpec>(calls).flatMap(
      ([name, spec]): [string, string, CallSpec & { columns: readonly ListColumn[] }][] => {
        const twin = Object.values<CallSpec>(calls).find(
          ({ kind, listName }) => kind === 'export' && listName === name,
        );
        return isExportable(spec) && twin
          ? [[`${noun}.${name}`, twin.path, { ...spec, columns: spec.list.columns }]]
          : [];
      },
    ),
);

async function fetchAllPages(path: string, input: object, token: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let page = 1; ; page += 1) {
    const data = await fetchData<Page<Record<string, unknown>>>(server, token, path, { ...input, page, size: 200 });
    rows.push(...data.list);
    if (rows.length >= data.total) return rows;
  }
}

describe('an export has the same content as the list', () => {
  test('exists for every list of the contract', () => {
    const lists = Object.values(nouns).flatMap((calls) =>
      // Notes on a user appear only in the user's drawer, so they have no export.
      Object.values<CallSpec>(calls).filter(({ kind, path }) => kind === 'list' && path !== 'user/note/list'),
    );
    expect(lists.filter((spec) => !isExportable(spec)).map(({ path }) => path)).toEqual([]);
    expect(exportable).toHaveLength(lists.length);
    expect(exportable.map(([, path]) => path)).toContain('fund/record/excel');
  });

  test.each(exportable)('%s: columns are fields of its rows', (name, _path, { columns }) => {
    const [noun = '', of = ''] = name.split('.');
    const end = (endpoints as Record<string, Record<string, Endpoint>>)[noun]?.[of];
    const fields = Object.keys(end?.output['properties']?.list?.items?.properties ?? {});
    expect(fields).toEqual(expect.arrayContaining(columns.map(({ field }) => field)));
    expect(new Set(columns.map(({ title }) => title)).size).toBe(columns.length);
  });

  test.each(exportable)('%s', async (_name, path, { path: listPath, columns }) => {
    const before = { to: Date.now() };
    for (const token of [admin, agents.beside.token]) {
      if (
        [
          'audit/list',
          'announce/list',
          'config/history',
          'house/entries',
          'report/work/list',
          'report/review/list',
          'wallet/list',
          'wallet/item/list',
          'wallet/transfer/list',
          'wallet/coin/list',
        ].includes(listPath) &&
        token !== admin
      )
        continue;
      for (const sort of ['-id', 'createdAt']) {
        const rows = await fetchAllPages(listPath, { ...before, sort }, token);
        const want = rows.map((row) => columns.map((column) => expectedText(column, row)));
        const csv = parseCsv((await exportFile(server, path, { ...before, sort, format: 'csv' }, token)).text);
        const bare = csv.slice(1).map((row) => row.map((cell) => cell.replace(/^'(?=\s*[=+\-@])/, '')));
        expect(bare).toEqual(want);
        const data = dataOf((await sheetsOf(path, { ...before, sort }, token))[0]).slice(1);
        const cells = data.map((row) =>
          columns.map(({ kind }, i) => (kind === 'time' && row[i] ? dateText(row[i]) : (row[i] ?? ''))),
        );
        expect(cells).toEqual(want);
      }
    }
  });

  test('applies filters and sort order', async () => {
    for (const input of [
      { state: 1, marketId: 2 },
      { account: 'exp.own*', sort: '-amount' },
      { agentRoot: 'exp.own', sort: 'amount', from: T0, to: T0 + 600_000 },
      { account: 'nobody' },
    ]) {
      const rows = await fetchAllPages('recharge/list', input, admin);
      const csv = parseCsv(
        (await exportFile(server, 'recharge/excel', { ...input, columns: ['id'], format: 'csv' }, admin)).text,
      );
      expect(csv.slice(1)).toEqual(rows.map(({ id }) => [String(id)]));
    }
  });

  test('contains only rows of the own tree', async () => {
    for (const [who, ids] of [
      [agents.own, [agents.own.id, agents.low.id]],
      [agents.beside, [agents.beside.id]],
    ] as const) {
      const truth = await server.query(sql<{ id: number }>`
        select id from recharge where agent_id = any(${[...ids]}::bigint[]) order by id desc`);
      const data = dataOf((await sheetsOf('recharge/excel', { columns: ['id'] }, who.token))[0]);
      expect(data.slice(1)).toEqual(truth.map(({ id }) => [String(id)]));
      const other = { account: 'exp.beside.user', agent: who === agents.own ? 'exp.beside' : 'exp.own' };
      expect(dataOf((await sheetsOf('recharge/excel', other, who.token))[0])).toHaveLength(1);
    }
  });
});

describe('the totals', () => {
  test('follow the data, are repeated in the notes, and equal plain SQL', async () => {
    const truth = await server.query(sql<{ name: string; count: number; amount: string }>`
      select m.market_name as name, count(*) as count, sum(r.amount) as amount from recharge r join market m on m.id = r.market_id
      where r.state = 1 group by m.id, m.market_name, m.sort order by m.sort, m.id`);
    expect(truth).toHaveLength(3);
    const sheets = await sheetsOf('recharge/excel', { state: 1, columns: ['account', 'amount', 'id'] });
    const values = sheets[0] ? valuesOf(sheets[0]) : [];
    expect(values.slice(-3)).toEqual(truth.map(({ name, amount }) => [`合计 ${name}`, amount]));
    const notes = sheets[1] ? valuesOf(sheets[1]) : [];
    const head = notes.findIndex(([label]) => label === '合计');
    expect(notes[head]).toEqual(['合计', '笔数', '数量']);
    expect(notes.slice(head + 1)).toEqual(truth.map(({ name, count, amount }) => [name, String(count), amount]));
    const data = await fetchData<Page<RechargeRow, RechargeSum>>(server, admin, 'recharge/list', { state: 1 });
    expect(notes.slice(head + 1).map(([, , amount]) => amount)).toEqual(data.summary?.map(({ amount }) => amount));
  });

  test('the notes name the filters, the operator and the time', async () => {
    const input = { state: 1, marketId: 3, from: T0, zone: 'UTC', sort: '-amount', columns: ['amount'] };
    const sheets = await sheetsOf('recharge/excel', input, agents.beside.token);
    const notes = new Map((sheets[1] ? valuesOf(sheets[1]) : []).map(([label = '', text = '']) => [label, text]));
    expect(Object.fromEntries(notes)).toMatchObject({
      列表: '充值记录',
      导出人: 'exp.beside',
      时区: 'UTC',
      状态: '已到账',
      币种: 'ETH',
      开始时间: '2023-11-14 22:13:20',
      排序: '数量（降序）',
    });
    expect(notes.get('导出时间')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(Number(notes.get('条数'))).toBeGreaterThan(0);
    const long = (sheets[0]?.rows ?? [])
      .slice(1, 1 + Number(notes.get('条数')))
      .filter(([cell]) => cell?.kind === 'text');
    expect(long.length).toBeGreaterThan(0);
    expect(notes.get('注意')).toContain(`${long.length} 个数字`);
  });
});

describe('amounts', () => {
  const decimal = tuple(bigInt({ min: 1n, max: 10n ** 36n - 1n }), integer({ min: 0, max: 35 }))
    .map(([units, cut]) => units / 10n ** BigInt(cut) || 1n)
    .map((units) => {
      const digits = units.toString().padStart(19, '0');
      return canonical(`${digits.slice(0, -18)}.${digits.slice(-18)}`);
    });

  test('equal the database to the last digit in both formats; cells are numeric only if a float is exact', async () => {
    const owner = owners[0] ?? { id: 0, agent: 0 };
    await assert(
      asyncProperty(array(decimal, { minLength: 1, maxLength: 60 }), async (amounts) => {
        const address = unique('random-');
        const row = { userId: owner.id, agentId: owner.agent, address, createdAt: T0 };
        await insertRecharges(
          server,
          amounts.map((amount) => ({ ...row, amount, no: unique('P-') })),
        );
        const stored = await server.query(sql<{ amount: string }>`
          select trim_scale(amount)::text as amount from recharge where address = ${address} order by id`);
        expect(stored.map(({ amount }) => amount)).toEqual(amounts);
        const input = { address, sort: 'id', columns: ['amount'] };
        const csv = parseCsv((await exportFile(server, 'recharge/excel', { ...input, format: 'csv' }, admin)).text);
        expect(csv.slice(1)).toEqual(amounts.map((amount) => [amount]));
        const sheets = await sheetsOf('recharge/excel', input);
        expect(dataOf(sheets[0]).slice(1, 1 + amounts.length)).toEqual(amounts.map((amount) => [amount]));
        for (const [cell] of (sheets[0]?.rows ?? []).slice(1, 1 + amounts.length)) {
          if (cell?.kind === 'number') expect(decimalOf(Number(cell.value))).toBe(cell.value);
        }
        await server.query(sql`delete from recharge where address = ${address}`);
      }),
      { numRuns: 15 },
    );
  });

  /** A float as a spreadsheet shows it: fifteen digits, without an exponent. */
  function decimalOf(value: number): string {
    const [digits = '', exponent = '0'] = value.toExponential(14).split('e');
    const whole = digits.replace('.', '').replace(/0+$/, '') || '0';
    const point = Number(exponent) + 1;
    if (point >= whole.length) return whole.padEnd(point, '0');
    return point > 0 ? `${whole.slice(0, point)}.${whole.slice(point)}` : `0.${'0'.repeat(-point)}${whole}`;
  }

  test('negative amounts stay numbers in csv, and texts that look like formulas are escaped', async () => {
    const { text } = await exportFile(
      server,
      'fund/record/excel',
      { columns: ['amount', 'remark'], format: 'csv' },
      admin,
    );
    const { data } = await call<Page<LedgerEntryRow>>(server, 'GET', 'fund/record', { size: 200 }, { token: admin });
    expect(data.list.some(({ amount }) => amount.startsWith('-'))).toBe(true);
    expect(
      parseCsv(text)
        .slice(1)
        .map(([amount]) => amount),
    ).toEqual(data.list.map(({ amount }) => amount));
    const remarks = parseCsv(
      (await exportFile(server, 'recharge/excel', { columns: ['remark'], format: 'csv' }, admin)).text,
    );
    expect(new Set(remarks.flat())).toEqual(
      new Set(['备注', '', "'=cmd|calc", '🙂 行\n二', '"quoted", with comma', "'+1"]),
    );
  });

  test('writes texts of a sheet never as formulas', async () => {
    const sheets = await sheetsOf('recharge/excel', { columns: ['remark'] });
    expect(sheets[0]?.xml).not.toMatch(/<f>|<f /);
    expect(dataOf(sheets[0])).toContainEqual(['=cmd|calc']);
  });
});

describe('the audit log', () => {
  const findLast = async (action: object): Promise<AuditRow | undefined> =>
    (await call<Page<AuditRow>>(server, 'GET', 'audit/list', { action: 'export', ...action }, { token: admin })).data
      .list[0];

  test('records operator, list, columns and row count', async () => {
    const input = { state: 1, columns: ['amount', 'id'], format: 'csv', zone: 'UTC' };
    const { text, headers } = await exportFile(server, 'recharge/excel', input, agents.beside.token);
    expect(await findLast({ requestId: headers['x-request-id'] })).toMatchObject({
      operator: 'exp.beside',
      result: 200,
      targetType: 'recharge',
      after: {
        list: 'recharge/excel',
        format: 'csv',
        zone: 'UTC',
        query: { state: 1 },
        columns: ['amount', 'id'],
        rows: parseCsv(text).length - 1,
      },
    });
  });

  test('records a refusal', async () => {
    const { headers, envelope } = await exportFile(server, 'user/excel', {}, agents.low.token);
    expect(envelope).toMatchObject({ code: 403 });
    expect(await findLast({ requestId: headers['x-request-id'] })).toMatchObject({
      operator: 'exp.low',
      result: 403,
      targetType: 'user',
    });
  });

  test('sends nothing when the audit row cannot be written', async () => {
    const [role] = await server.query(sql<{ name: string }>`
      select distinct grantee as name from information_schema.role_table_grants
      where table_name = 'audit' and privilege_type = 'INSERT' and grantee like '%\\_app%'`);
    if (!role) throw new Error('no role');
    await server.query(sql`revoke insert on audit from ${sql.id(role.name)}`);
    try {
      const { status, envelope, bytes } = await exportFile(server, 'recharge/excel', {}, admin);
      expect([status, envelope?.code]).toEqual([500, 500]);
      expect(bytes.length).toBeLessThan(200);
    } finally {
      await server.query(sql`grant insert on audit to ${sql.id(role.name)}`);
    }
    expect((await exportFile(server, 'recharge/excel', {}, admin)).envelope).toBeUndefined();
  });
});

test('ignores an idempotency key and makes a new file each time', async () => {
  for (const rows of [1, 1]) {
    const response = await server.server.inject({
      method: 'POST',
      url: `${API_BASE}market/excel`,
      headers: { token: admin, 'content-type': 'application/json', 'idempotency-key': 'the-same' },
      payload: JSON.stringify({ marketName: 'BTC', format: 'csv' }),
    });
    expect(parseCsv(response.body)).toHaveLength(1 + rows);
  }
  expect(await server.query(sql`select 1 from idempotency where key = 'the-same'`)).toEqual([]);
});
