import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { assert, asyncProperty, string } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readText, openTestCopier } from '../../test/copier.ts';
import { inlineParameters, openCopier, toLiteral } from './copy.ts';

let copier: Awaited<ReturnType<typeof openTestCopier>>;
beforeAll(async () => {
  copier = await openTestCopier();
});
afterAll(() => copier.end());

const NASTY = [
  "'",
  "''; drop table agent; --",
  '\\',
  "\\'",
  '$1',
  '$$',
  "E'\\x27'",
  '"',
  '{a,b}',
  'null',
  '\n\r\t',
  '🙂',
  "' || 'x",
];

async function copyValue(value: unknown, type: string): Promise<string> {
  const rows = copier.copy(sql`select ${value}::${sql.raw(type)} as value`, ['value']);
  return (await readText(rows)).replace(/\n$/, '');
}

test.each(NASTY)('%j is copied unchanged', async (text) => {
  const [{ value } = { value: '' }] = (
    await sql<{ value: string }>`select encode(convert_to(${text}::text, 'UTF8'), 'hex') as value`.execute(copier.db)
  ).rows;
  const rows = copier.copy(sql`select encode(convert_to(${text}::text, 'UTF8'), 'hex') as value`, ['value']);
  let got = '';
  for await (const part of rows) got += String(part);
  expect(got).toBe(`${value}\n`);
  expect(value).toBe(Buffer.from(text).toString('hex'));
});

test('PostgreSQL reads the literal of any text as that text', async () => {
  await assert(
    asyncProperty(string({ unit: 'binary' }), async (text) => {
      const plain = text.replaceAll('\0', '');
      const { rows } = await sql
        .raw<{ hex: string }>(`select encode(convert_to(${toLiteral(plain)}::text, 'UTF8'), 'hex') as hex`)
        .execute(copier.db);
      expect(rows[0]?.hex).toBe(Buffer.from(plain).toString('hex'));
    }),
    { numRuns: 200 },
  );
});

test('literals of numbers, arrays, booleans and null equal the parameters', async () => {
  expect(await copyValue(9_007_199_254_740_991, 'bigint')).toBe('9007199254740991');
  expect(await copyValue('-0.10', 'numeric')).toBe('-0.10');
  expect(await copyValue([1, 2, 30], 'bigint[]')).toBe('{1,2,30}');
  expect(await copyValue([], 'bigint[]')).toBe('{}');
  expect(await copyValue(null, 'text')).toBe('\\N');
  expect(await copyValue(true, 'boolean')).toBe('t');
  const { rows } = await sql
    .raw<{ n: number }>(`select cardinality(${toLiteral(NASTY)}::text[]) as n`)
    .execute(copier.db);
  expect(rows[0]?.n).toBe(NASTY.length);
  const same = await sql
    .raw<{ same: boolean }>(
      `select ${toLiteral(NASTY)}::text[] = array[${NASTY.map((one) => toLiteral(one)).join(',')}] as same`,
    )
    .execute(copier.db);
  expect(same.rows[0]?.same).toBe(true);
});

test.each([
  ['a\0b', 'The text contains a NUL character.'],
  [['a\0'], 'The text contains a NUL character.'],
  [Number.NaN, 'The number is not finite.'],
  [Infinity, 'The number is not finite.'],
  [{ a: 1 }, 'A value of type object cannot be written as a literal.'],
  [[{}], 'A value of type object cannot be written as a literal.'],
  [Symbol('x'), 'A value of type symbol cannot be written as a literal.'],
])('%s has no literal', (value, message) => {
  expect(() => toLiteral(value)).toThrow(message);
});

test('a placeholder inside a text or name is not replaced', () => {
  expect(inlineParameters(sql`select '$1', ${'$2'}, "x$3" from t where a = ${1}`)).toBe(
    `select '$1', '$2', "x$3" from t where a = '1'`,
  );
});

const expectUsable = async (): Promise<void> =>
  expect((await sql<{ one: number }>`select 1 as one`.execute(copier.db)).rows).toEqual([{ one: 1 }]);

test('copies short rows and rows longer than one read unchanged', async () => {
  const rows = copier.copy(
    sql`select n, repeat('x', case when n % 500 = 0 then 200000 else n % 7 end) as text from generate_series(1, 2000) n`,
    ['n', 'text'],
  );
  const lines = (await readText(rows)).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines).toEqual(
    Array.from({ length: 2000 }, (_, i) => `${i + 1}\t${'x'.repeat((i + 1) % 500 === 0 ? 200_000 : (i + 1) % 7)}`),
  );
  await expectUsable();
  expect(rows.rowCount).toBe(2000);
});

test('a slow reader causes no buffering beyond 128 KiB', async () => {
  const rows = copier.copy(sql`select n, md5(n::text) as text from generate_series(1, 50000) n`, ['n', 'text']);
  let longest = 0;
  let bytes = 0;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    for (let i = 0; i < 20; i += 1) await turn();
    longest = Math.max(longest, chunk.length, rows.readableLength);
    bytes += chunk.length;
  }
  expect(bytes).toBeGreaterThan(50_000 * 34);
  expect(longest).toBeLessThanOrEqual(128 * 1024);
  await expectUsable();
  expect(rows.rowCount).toBe(50_000);
});

test('an empty result ends the iteration', async () => {
  const rows = copier.copy(sql`select 1 as n where false`, ['n']);
  expect([await readText(rows), rows.rowCount]).toEqual(['', 0]);
});

test('an error after many rows is thrown, and the connection stays usable', async () => {
  const rows = copier.copy(sql`select 1 / (90000 - n) as n from generate_series(1, 100000) n`, ['n']);
  await expect(readText(rows)).rejects.toThrow('division by zero');
  await expectUsable();
});

test('a connection that ends during the copy is an error', async () => {
  const other = await openCopier(copier.url, () => undefined);
  const { rows: pids } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.db);
  const rows = other.copy(sql`select n, md5(n::text) as text from generate_series(1, 1000000) n`, ['n', 'text']);
  const reading = expect(readText(rows)).rejects.toThrow(/terminat/);
  await sql`select pg_terminate_backend(${pids[0]?.pid})`.execute(copier.db);
  await reading;
  await other.end();
});

test('notices between the rows are not part of the rows', async () => {
  await sql`create or replace function pg_temp.say(n int) returns int language plpgsql as
    $$ begin raise notice 'row %', n; return n; end $$`.execute(copier.db);
  expect(await readText(copier.copy(sql`select pg_temp.say(n) as n from generate_series(1, 3) n`, ['n']))).toBe(
    '1\n2\n3\n',
  );
});
