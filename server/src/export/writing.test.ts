// @module-tag full
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rowsOfCsv } from '../../test/csv.ts';
import { dataOf, readXlsx } from '../../test/xlsx.ts';
import { type FileOrder, pacer } from './make-file.ts';
import { NotWritten, writeFile } from './writing.ts';

const folder = mkdtempSync(join(tmpdir(), 'hengtai-writing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const order = (more: Partial<FileOrder> = {}): FileOrder => ({
  path: 'recharge/excel',
  form: { columns: ['id', 'no'], format: 'csv' },
  title: '充值记录',
  operator: 'admin',
  at: 0,
  total: 3,
  fields: [
    { name: 'id', type: 20 },
    { name: 'no', type: 25 },
  ],
  file: join(folder, 'file'),
  rowsPerSecond: 1e9,
  bytesMax: 1e9,
  ...more,
});
const never = new AbortController().signal;
async function* lines(...all: string[]): AsyncGenerator<Buffer> {
  for (const line of all) yield Buffer.from(line);
}
const three = () => lines('1\ta\n2\t', 'b\n', '3\tc\n');
const write = (more: Partial<FileOrder>, rows = three(), signal = never) =>
  writeFile(order(more), rows, { signal, onRows: () => undefined });
const whyOf = (writing: Promise<unknown>) =>
  writing.then(
    () => 'written',
    (error: unknown) => (error instanceof NotWritten ? error.why : error),
  );

test('a process of its own writes the file, and says how many rows and bytes it has', async () => {
  const { rows, size } = await write({});
  expect(rows).toBe(3);
  const bytes = readFileSync(join(folder, 'file'));
  expect(bytes.length).toBe(size);
  expect(rowsOfCsv(bytes.toString())).toEqual([
    ['编号', '平台单号'],
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'c'],
  ]);
});

test.each(['csv', 'xlsx'] as const)(
  'portion after portion, no row of a %s is written over by another',
  async (format) => {
    const count = 30_000;
    // As of a copy: what is read next stands where the piece before the last one stood.
    const memory = [Buffer.alloc(100), Buffer.alloc(100)] as const;
    async function* many(): AsyncGenerator<Buffer> {
      for (let row = 1; row <= count; row += 1) {
        const piece = memory[row % 2 === 0 ? 0 : 1];
        yield piece.subarray(0, piece.write(`${row}\tnumber ${row}\n`));
      }
    }
    expect((await write({ total: count, form: { columns: ['id', 'no'], format } }, many())).rows).toBe(count);
    const bytes = readFileSync(join(folder, 'file'));
    const rows = format === 'csv' ? rowsOfCsv(bytes.toString()) : dataOf(readXlsx(bytes)[0]);
    expect(rows.slice(1)).toEqual(Array.from({ length: count }, (_, i) => [`${i + 1}`, `number ${i + 1}`]));
  },
);

test.runIf(existsSync('/dev/full'))('a full disk is told apart from a fault', async () => {
  expect(await whyOf(write({ file: '/dev/full' }))).toBe('space');
});

test('a file that grows past what is left to its maker is given up', async () => {
  expect(await whyOf(write({ bytesMax: 20 }))).toBe('size');
});

test.each([
  ['too few', { total: 4 }, three()],
  ['too many', { total: 2 }, three()],
  ['broken', {}, lines('1\ta\n2\n')],
  ['cut off', {}, lines('1\ta\n2\tb\n3\tc')],
])('rows that are %s make no file', async (_, more, rows) => {
  expect(await whyOf(write(more, rows))).toBe('fault');
});

test('who ends it waits for nothing', async () => {
  const stopping = new AbortController();
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.from('1\ta\n'.repeat(1_000));
      if (!stopping.signal.aborted) setTimeout(() => stopping.abort(new Error('enough')), 0);
    }
  }
  await expect(write({ rowsPerSecond: 0.001 }, endless(), stopping.signal)).rejects.toThrow('enough');
});

test('a standstill is made up for by a second, and no more', async () => {
  const times = { now: 0, slept: 0 };
  const pace = pacer(1_000, {
    now: () => times.now,
    sleep: async (ms) => {
      times.slept += ms;
      times.now += ms;
    },
  });
  await pace(500);
  expect(times.slept).toBe(500);
  times.now += 60_000;
  await pace(600);
  await pace(1_600);
  expect(times.slept).toBe(500);
  await pace(2_600);
  expect(times.slept).toBe(1_500);
});
