// @module-tag full
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseCsv } from '../../../test/csv.ts';
import { dataOf, readXlsx } from '../../../test/xlsx.ts';
import { type FileTask, createPacer } from './make-file.ts';
import { WriterFailed, writeFile } from './writer-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'hengtai-writer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const taskOf = (more: Partial<FileTask> = {}): FileTask => ({
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
const threeRows = () => lines('1\ta\n2\t', 'b\n', '3\tc\n');
const write = (more: Partial<FileTask>, rows = threeRows(), signal = never) =>
  writeFile(taskOf(more), rows, { signal, onRows: () => undefined });
const outcomeOf = (writing: Promise<unknown>) =>
  writing.then(
    () => 'written',
    (error: unknown) => (error instanceof WriterFailed ? error.reason : error),
  );

test('writes the file in a separate process, and reports its rows and bytes', async () => {
  const { rows, size } = await write({});
  expect(rows).toBe(3);
  const bytes = readFileSync(join(folder, 'file'));
  expect(bytes.length).toBe(size);
  // Only the account of the server may read it.
  expect(statSync(join(folder, 'file')).mode & 0o777).toBe(0o600);
  expect(parseCsv(bytes.toString())).toEqual([
    ['编号', '平台单号'],
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'c'],
  ]);
});

test.each(['csv', 'xlsx'] as const)('keeps every row of a long %s', async (format) => {
  const count = 30_000;
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const source = lines(...numbers.map((row) => `${row}\tnumber ${row}\n`));
  expect((await write({ total: count, form: { columns: ['id', 'no'], format } }, source)).rows).toBe(count);
  const bytes = readFileSync(join(folder, 'file'));
  const rows = format === 'csv' ? parseCsv(bytes.toString()) : dataOf(readXlsx(bytes)[0]);
  expect(rows.slice(1)).toEqual(numbers.map((row) => [`${row}`, `number ${row}`]));
});

test.runIf(existsSync('/dev/full'))('reports a full disk with its own reason', async () => {
  expect(await outcomeOf(write({ file: '/dev/full' }))).toBe('space');
});

test('stops a file that exceeds the remaining bytes of its maker', async () => {
  expect(await outcomeOf(write({ bytesMax: 20 }))).toBe('size');
});

test.each([
  ['too few', { total: 4 }, threeRows()],
  ['too many', { total: 2 }, threeRows()],
  ['broken', {}, lines('1\ta\n2\n')],
  ['cut off', {}, lines('1\ta\n2\tb\n3\tc')],
])('fails for rows that are %s', async (_, more, rows) => {
  expect(await outcomeOf(write(more, rows))).toBe('error');
});

test('throws the error of the rows, also one that looks like a closed pipe', async () => {
  const lost = Object.assign(new Error('the connection was lost'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  async function* cutOff(): AsyncGenerator<Buffer> {
    yield Buffer.from('1\ta\n');
    throw lost;
  }
  expect(await outcomeOf(write({ total: undefined }, cutOff()))).toBe(lost);
});

test('stops at once when it is aborted', async () => {
  const stopController = new AbortController();
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.from('1\ta\n'.repeat(1_000));
      if (!stopController.signal.aborted) setTimeout(() => stopController.abort(new Error('enough')), 0);
    }
  }
  await expect(write({ rowsPerSecond: 0.001 }, endless(), stopController.signal)).rejects.toThrow('enough');
});

test('catches up at most one second after a stall', async () => {
  const times = { now: 0, slept: 0 };
  const pace = createPacer(1_000, {
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
