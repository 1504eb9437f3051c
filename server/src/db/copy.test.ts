import { sql } from 'kysely';
import { assert, asyncProperty, string } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readText, openTestCopier } from '../../test/copier.ts';
import { inlineParameters, toLiteral } from './copy.ts';

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
