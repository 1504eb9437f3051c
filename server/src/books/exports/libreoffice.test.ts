// @module-tag full
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { ExportForm } from '@hengtai/contract/desk/export/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCsv } from '../../../test/csv.ts';
import { makeExportFile } from '../../../test/export-file.ts';
import { exportFile, insertRecharges } from '../../../test/export.ts';
import { findUser, makeUser, makeWithdraw } from '../../../test/factories.ts';
import { type TestServer, login, testServer } from '../../../test/server.ts';

// LibreOffice opens the exported files and writes every cell as it displays it; each is compared with the database. One
// run of LibreOffice converts all files, because its start is slow.
const ROWS = 1500;
const T0 = 1_700_000_000_999;
/** Comma, quotes, UTF-8, cells as displayed, all sheets. */
const FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';

const TEXTS = [
  '',
  '=1+1',
  '=HYPERLINK("http://example.test","x")',
  '+8613800000000',
  '-1',
  '@SUM(1)',
  '1234567890123456789',
  '0012',
  '1e5',
  '2026-01-02',
  '🙂𠮷 emoji',
  '中文，逗号, "quotes"',
  'two\nlines',
  '<b>&amp;</b>',
  '_x000B_ is no control',
  'tab\there',
  'TRUE',
  ' blanks around ',
];
const AMOUNTS = [
  '1',
  '0.1',
  '123456789012345',
  '123456789012.345',
  '999999999999999999.999999999999999999',
  '0.000000000000000001',
  '1234567890123456.5',
  '100000000000000000',
  '0.123456789012345',
  '42.000000000000000001',
];

let server: TestServer;
let folder: string;
let sheets: Record<'recharge' | 'fund', string[][]>;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  const admin = await login(server);
  const account = await makeUser(server, { amount: '5000.123456789012345678' });
  const user = await findUser(server, admin, account);
  for (let i = 0; i < 8; i += 1) {
    await makeWithdraw(server, admin, account, { amount: i % 2 ? '10.5' : '12.123456789012345678', fee: '1' });
  }
  const [owner] = await server.query(sql<{ agent: number }>`select agent_id as agent from users where id = ${user.id}`);
  await insertRecharges(
    server,
    Array.from({ length: ROWS }, (_, i) => ({
      ...(i === 7 && { id: 9_007_199_254_740_991 }),
      no: `${8_000_000_000_000_000_000n + BigInt(i)}`,
      userId: user.id,
      agentId: owner?.agent ?? 0,
      amount: AMOUNTS[i % AMOUNTS.length] ?? '1',
      remark: TEXTS[i % TEXTS.length] ?? '',
      address: i % 3 ? `0x${i}` : `=cmd|' /C calc'!A${i}`,
      createdAt: T0 + i * 3_600_000,
    })),
  );
  folder = await mkdtemp(join(tmpdir(), 'hengtai-sheets-'));
  for (const [name, path] of [
    ['recharge', 'recharge/excel'],
    ['fund', 'fund/record/excel'],
  ] as const) {
    const { bytes } = await exportFile(server, path, { sort: 'id', zone: 'Asia/Tokyo' }, admin);
    await writeFile(join(folder, `${name}.xlsx`), bytes);
  }
  const split = { sort: 'id', columns: ['id', 'no', 'amount', 'remark'] } as ExportForm;
  await writeFile(
    join(folder, 'split.xlsx'),
    await makeExportFile(server, 'recharge/excel', split, { sheetRows: 700 }),
  );
  await convert(['recharge.xlsx', 'fund.xlsx', 'split.xlsx']);
  sheets = { recharge: await readSheet('recharge-充值记录'), fund: await readSheet('fund-资金记录') };
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server.stop();
});

/** Uses its own profile, because LibreOffice does not start on a profile that is in use. */
async function convert(files: readonly string[]): Promise<void> {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/Applications/LibreOffice.app/Contents/MacOS'];
  const program = places.map((place) => join(place, 'soffice')).find((path) => existsSync(path));
  if (!program) throw new Error('The test needs LibreOffice (libreoffice-calc-nogui); npm test installs it on Debian.');
  const args = [
    `-env:UserInstallation=file://${folder}/profile`,
    '--headless',
    '--convert-to',
    FILTER,
    '--outdir',
    folder,
  ];
  await promisify(execFile)(program, [...args, ...files], { cwd: folder, timeout: 110_000 });
}

const readSheet = async (name: string): Promise<string[][]> =>
  parseCsv(await readFile(join(folder, `${name}.csv`), 'utf8'));

const groupThousands = (decimal: string): string => {
  const [whole = '', places] = decimal.split('.');
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return places === undefined ? text : `${text}.${places}`;
};
/** How an amount is displayed: numbers with thousands separators, long ones as plain text. */
const displayedAmount = (decimal: string): string =>
  decimal.replaceAll(/^-|\.|^-?0\.0*/g, '').replace(/0+$/, '').length > 15 ? decimal : groupThousands(decimal);
const tokyo = (ms: number): string =>
  new Date(Math.floor(ms / 1000) * 1000).toLocaleString('sv', { timeZone: 'Asia/Tokyo' });

test('displays every recharge as it is stored: ids, amounts, texts, times', async () => {
  const stored = await server.query(sql<{
    id: number;
    amount: string;
    remark: string;
    no: string;
    address: string;
    at: number;
  }>`
    select id, amount, remark, no, address, created_at as at from recharge order by id`);
  const [head = [], ...rows] = sheets.recharge;
  const column = (title: string): string[] => rows.slice(0, stored.length).map((row) => row[head.indexOf(title)] ?? '');
  expect(stored.length).toBe(ROWS + 1);
  expect(column('编号')).toEqual(stored.map(({ id }) => String(id)));
  expect(column('平台单号')).toEqual(stored.map(({ no }) => no));
  expect(column('备注')).toEqual(stored.map(({ remark }) => remark));
  expect(column('地址')).toEqual(stored.map(({ address }) => address));
  expect(column('数量')).toEqual(stored.map(({ amount }) => displayedAmount(amount)));
  expect(column('时间 (Asia/Tokyo)')).toEqual(stored.map(({ at }) => tokyo(at)));
  const [sum] = await server.query(sql<{ sum: string }>`select sum(amount) as sum from recharge`);
  const totals = rows.slice(stored.length);
  expect(totals[0]?.every((cell) => cell === '')).toBe(true);
  expect([totals[1]?.[0], totals[1]?.[head.indexOf('数量')]]).toEqual(['合计 USDT', sum?.sum]);
});

test('displays negative amounts as negative numbers', async () => {
  const stored = await server.query(sql<{ amount: string; balance: string }>`
    select amount, balance from entry where user_id is not null order by id`);
  const [head = [], ...rows] = sheets.fund;
  const column = (title: string): string[] => rows.slice(0, stored.length).map((row) => row[head.indexOf(title)] ?? '');
  expect(stored.filter(({ amount }) => amount.startsWith('-')).length).toBeGreaterThan(5);
  expect(column('变动')).toEqual(stored.map(({ amount }) => displayedAmount(amount)));
  expect(column('变动后')).toEqual(stored.map(({ balance }) => displayedAmount(balance)));
});

test('opens the sheet of notes', async () => {
  const notes = await readSheet('recharge-说明');
  expect(notes[0]).toEqual(expect.arrayContaining(['列表', '充值记录']));
  expect(notes.map(([label]) => label)).toEqual(expect.arrayContaining(['导出人', '时区', '条数', '合计', 'USDT']));
});

test('a list over several sheets has all rows in order', async () => {
  const parts = await Promise.all(['', ' 2', ' 3'].map((n) => readSheet(`split-充值记录${n}`)));
  const rows = parts.flatMap((part) => part.slice(1)).filter(([id]) => /^\d+$/.test(id ?? ''));
  const stored = await server.query(sql<{ id: number; no: string; amount: string; remark: string }>`
    select id, no, amount, remark from recharge order by id`);
  expect(parts.map((part) => part.length > 100)).toEqual([true, true, true]);
  expect(rows).toEqual(stored.map(({ id, no, amount, remark }) => [String(id), no, displayedAmount(amount), remark]));
});
