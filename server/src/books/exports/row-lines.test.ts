// @module-tag full
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { ExportForm, ExportSpec } from '@hengtai/contract/desk/export/calls';
import { nouns } from '@hengtai/contract/index';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeExportFile } from '../../../test/export-file.ts';
import { exportFile, insertRecharges } from '../../../test/export.ts';
import { makeOperator, makeUser, makeWithdraw } from '../../../test/factories.ts';
import { call, login, provideServer, unique } from '../../../test/server.ts';
import { readXlsx, unzip, valuesOf } from '../../../test/xlsx.ts';
import { openCopier } from '../../database/copy.ts';
import { decodeRows } from './row-lines.ts';

const server = provideServer({ jobs: false });
let admin: string;
let until: number;

const TEXTS = [
  '',
  '=1+1',
  ' \t=SUM(A1)',
  '＝1+1',
  '\u3000＠x',
  '+8613800000000',
  '-1',
  '@SUM(1)',
  '\\N',
  'back\\slash\\n',
  'tab\there',
  'two\r\nlines',
  'a,b "c"',
  '<b>&amp;</b>',
  '_x000B_ is no control',
  '\u0001\u000b\u001f\ufffe',
  '🙂𠮷中文，；',
  '\u2003-1',
  'trailing blank ',
  'x'.repeat(40_000),
];
const AMOUNTS = [
  '1',
  '0.1',
  '123456789012345',
  '1234567890123456',
  '999999999999999999.999999999999999999',
  '100000000000000000',
  '0.000000000000000001',
  '0.10',
  '42.000000000000000001',
  '5.000',
];

beforeAll(async () => {
  admin = await login(server);
  const { account } = await makeOperator(server, admin, { account: 'copy.agent', abilities: [3, 10] });
  for (let i = 0; i < 4; i += 1) {
    const user = await makeUser(server, {
      account: unique('copy_'),
      agent: account,
      amount: '5000.123456789012345678',
    });
    const row = await makeWithdraw(server, admin, user, { amount: `${10 + i}.5`, fee: '1' });
    if (i % 2) await call(server, 'POST', 'withdraw/reject', { id: row.id, reason: '=1+1' }, { token: admin });
  }
  const [owner] = await server.query(
    sql<{ id: number; agent: number }>`select id, agent_id as agent from users limit 1`,
  );
  await insertRecharges(
    server,
    Array.from({ length: 380 }, (_, i) => ({
      ...(i === 7 && { id: 9_007_199_254_740_991 }),
      no: `${8_000_000_000_000_000_000n + BigInt(i)}`,
      userId: owner?.id ?? 0,
      agentId: owner?.agent ?? 0,
      marketId: 1 + (i % 3),
      state: i % 5,
      amount: AMOUNTS[i % AMOUNTS.length] ?? '1',
      remark: TEXTS[i % TEXTS.length] ?? '',
      address: TEXTS[(i + 3) % TEXTS.length] ?? '',
      createdAt: [1_700_000_000_999 + i * 977_000, 0, 253_402_300_800_000, 1_300_000_000_000][i % 4] ?? 0,
    })),
  );
  until = server.clock.now();
  server.clock.move(60_000);
});

const exports = Object.values(nouns).flatMap((calls) =>
  Object.values<{ kind: string }>(calls).filter((one): one is ExportSpec => one.kind === 'export'),
);

/** Leaves out what differs between two exports: session times, and audit rows of the exports themselves. */
function formOf({ path, list }: ExportSpec): ExportForm & { to?: number } {
  const changing = ['lastSeenAt', 'expiresAt', 'sealed', 'lastLoginAt'];
  const columns = list.columns.map(({ field }) => field).filter((field) => !changing.includes(field));
  return { columns, ...(path === 'audit/excel' && { to: until }) };
}

describe.each(exports.map((one) => [one.path, one] as const))('%s', (path, spec) => {
  test.each(['Asia/Shanghai', 'America/New_York'])(
    'gives the same bytes as a job and as a stream, in %s',
    async (zone) => {
      const form = { ...formOf(spec), zone };
      const streamed = await exportFile(server, path, { ...form, format: 'csv' }, admin);
      expect((await makeExportFile(server, path, { ...form, format: 'csv' })).toString()).toBe(streamed.text);
      const [streamedBook, copiedBook] = [
        await exportFile(server, path, form, admin),
        await makeExportFile(server, path, form),
      ].map((file) => unzip(Buffer.isBuffer(file) ? file : file.bytes));
      expect([...(copiedBook?.keys() ?? [])]).toEqual([...(streamedBook?.keys() ?? [])]);
      const sheet = 'xl/worksheets/sheet1.xml';
      expect(copiedBook?.get(sheet)?.toString()).toBe(streamedBook?.get(sheet)?.toString());
      expect(streamedBook?.get(sheet)?.length).toBeGreaterThan(500);
    },
  );
});

test('rows are the same wherever the chunks of the source are cut', async () => {
  const fewColumns = { columns: ['id', 'no', 'amount', 'state', 'createdAt'] };
  for (const [chunk, options] of [
    [1, fewColumns],
    [7, fewColumns],
    [4096, {}],
  ] as const) {
    const form = { ...options, format: 'csv', sort: 'id' } as ExportForm;
    const expected = (await exportFile(server, 'recharge/excel', form, admin)).text;
    expect((await makeExportFile(server, 'recharge/excel', form, { chunk })).toString()).toBe(expected);
  }
});

test('a list over several sheets has every row once, and its totals on the last sheet', async () => {
  const sheets = readXlsx(
    await makeExportFile(server, 'recharge/excel', { columns: ['id', 'amount'] }, { sheetRows: 150 }),
  );
  expect(sheets.map(({ name }) => name)).toEqual(['充值记录', '充值记录 2', '充值记录 3', '说明']);
  const ids = sheets.slice(0, 3).flatMap((sheet) => valuesOf(sheet).map(([id]) => id));
  const [{ n } = { n: 0 }] = await server.query(sql<{ n: number }>`select count(*) as n from recharge`);
  expect(ids.filter((id) => /^\d+$/.test(id ?? ''))).toHaveLength(n);
  expect(new Set(ids.filter((id) => /^\d+$/.test(id ?? ''))).size).toBe(n);
  expect(ids.filter((id) => id?.startsWith('合计')).length).toBeGreaterThan(0);
});

test('waits for its reader before each further read from the source', async () => {
  const log: string[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const chunk of ['1\n2\n3', '\n4\n', '5\n']) {
      log.push('read');
      yield Buffer.from(chunk);
    }
  }
  const batches = decodeRows(chunks(), [{ name: 'id', type: 20 }], async (done) => {
    await Promise.resolve();
    log.push(`${done} done`);
  });
  const rows: unknown[] = [];
  for await (const batch of batches) rows.push(...batch);
  expect(rows).toEqual([1, 2, 3, 4, 5].map((id) => ({ id })));
  expect(log).toEqual(['read', '2 done', 'read', '4 done', 'read', '5 done']);
});

test('decodes every text that PostgreSQL copies', async () => {
  const texts = [...TEXTS, '\\', '\\\\', 'N', '\\t', '\b\f\v', null];
  const copier = await openCopier(server.app.exports.url, () => undefined);
  try {
    const source = copier.copy(sql`select unnest(${texts}::text[]) as text`, ['text']);
    const decoded: unknown[] = [];
    for await (const rows of decodeRows(source, [{ name: 'text', type: 25 }])) decoded.push(...rows);
    expect(decoded).toEqual(texts.map((text) => ({ text })));
  } finally {
    await copier.end();
  }
});

test('finds the export calls of the contract', () => {
  expect(exports.length).toBeGreaterThan(9);
  expect(exports.every(({ path }) => !path.startsWith(API_BASE))).toBe(true);
});
