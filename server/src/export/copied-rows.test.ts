// @module-tag full
import { API_BASE } from '@hengtai/contract/endpoint';
import type { ExportForm, ExportSpec } from '@hengtai/contract/export';
import { nouns } from '@hengtai/contract/index';
import { assert, bigInt, integer, property, tuple } from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeExportFile } from '../../test/export-file.ts';
import { exportFile, insertRecharges } from '../../test/export.ts';
import { makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, call, login, testServer, unique } from '../../test/server.ts';
import { readXlsx, unzip, valuesOf } from '../../test/xlsx.ts';
import { FLOAT_DIGITS, placesOf, significantDigits } from './cell.ts';
import { csvRowFormat } from './csv-row-format.ts';
import { CopiedRows, copyLines, unescapeField } from './copied-rows.ts';
import { newNumberBytes, readNumber, readInteger } from './number-bytes.ts';
import { wallClock } from './wall-clock.ts';

let server: TestServer;
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
  server = await testServer({ jobs: false });
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
afterAll(() => server.stop());

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

test('waits for the pace before each read from the source, also within a portion', async () => {
  const log: string[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const chunk of ['1\n2\n3', '\n4\n', '5\n']) {
      log.push('read');
      yield Buffer.from(chunk);
    }
  }
  const field = { name: 'id', type: 20 };
  const columns = [{ column: { field: 'id', title: '编号', kind: 'id' } as const, place: 0, field }];
  const rows = new CopiedRows(chunks(), [field], columns, async (done) => {
    await Promise.resolve();
    log.push(`${done} done`);
  });
  const form = csvRowFormat(columns, wallClock('UTC'));
  expect((await rows.take(form, Infinity, 0)).count).toBe(5);
  expect(log).toEqual(['0 done', 'read', '2 done', 'read', '4 done', 'read', '5 done']);
});

test('a field is decoded to the text that was encoded', () => {
  for (const text of [...TEXTS, '\\', '\\\\', 'N', '\\t', '\b\f\v']) {
    const line = copyLines([{ text }], ['text']).toString();
    expect(JSON.parse(unescapeField(line.slice(0, -1)) ?? '')).toBe(text);
  }
  expect(unescapeField('\\N')).toBeNull();
  expect(copyLines([{ a: null }], ['a', 'b']).toString()).toBe('\\N\t\\N\n');
});

test('reading a number from bytes gives the same as from its text', () => {
  const number = tuple(bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), integer({ min: 0, max: 18 })).map(
    ([digits, places]) => {
      const sign = digits < 0n ? '-' : '';
      const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
      return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
    },
  );
  assert(
    property(number, (text) => {
      const found = newNumberBytes();
      const bytes = Buffer.from(`\t${text}\t`);
      const canonical = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
      const isSignedZero = /^-[0.]*$/.test(text);
      const fits = readNumber(bytes, 1, found);
      expect(fits).toBe(!isSignedZero && significantDigits(canonical) <= FLOAT_DIGITS);
      if (fits)
        expect([bytes.toString('latin1', 1, found.end), found.places, found.to]).toEqual([
          canonical,
          placesOf(canonical),
          1 + text.length,
        ]);
    }),
    { numRuns: 2_000 },
  );
  const notNumbers = ['NaN', '', '1e5', '-', '1.2.3', '\\N', '1 '];
  const line = (text: string): Buffer => Buffer.from(`${text}\n`);
  expect(notNumbers.filter((text) => readNumber(line(text), 0, newNumberBytes()))).toEqual([]);
  const read = { value: 0, to: 0 };
  expect(notNumbers.filter((text) => readInteger(line(text), 0, read))).toEqual([]);
  expect(readInteger(Buffer.from('x-1700000000123\t'), 1, read)).toBe(true);
  expect(read).toEqual({ value: -1_700_000_000_123, to: 15 });
});

test('finds the export calls of the contract', () => {
  expect(exports.length).toBeGreaterThan(9);
  expect(exports.every(({ path }) => !path.startsWith(API_BASE))).toBe(true);
});
