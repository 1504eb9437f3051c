import { sql } from 'kysely';
import { assert, asyncProperty, string } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copiedText, testCopier } from '../../test/copier.ts';
import { inlined, literal } from './copy.ts';

let copier: Awaited<ReturnType<typeof testCopier>>;
beforeAll(async () => {
  copier = await testCopier();
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

async function copied(value: unknown, type: string): Promise<string> {
  const rows = copier.copy(sql`select ${value}::${sql.raw(type)} as value`, ['value']);
  return (await copiedText(rows)).replace(/\n$/, '');
}

test.each(NASTY)('%j goes into a copy as what it is', async (text) => {
  const [{ value } = { value: '' }] = (
    await sql<{ value: string }>`select encode(convert_to(${text}::text, 'UTF8'), 'hex') as value`.execute(copier.db)
  ).rows;
  const rows = copier.copy(sql`select encode(convert_to(${text}::text, 'UTF8'), 'hex') as value`, ['value']);
  let got = '';
  for await (const part of rows) got += String(part);
  expect(got).toBe(`${value}\n`);
  expect(value).toBe(Buffer.from(text).toString('hex'));
});

test('any text is read back by PostgreSQL as it was', async () => {
  await assert(
    asyncProperty(string({ unit: 'binary' }), async (text) => {
      const plain = text.replaceAll('\0', '');
      const { rows } = await sql
        .raw<{ hex: string }>(`select encode(convert_to(${literal(plain)}::text, 'UTF8'), 'hex') as hex`)
        .execute(copier.db);
      expect(rows[0]?.hex).toBe(Buffer.from(plain).toString('hex'));
    }),
    { numRuns: 200 },
  );
});

test('numbers, lists and nothing are what a parameter would be', async () => {
  expect(await copied(9_007_199_254_740_991, 'bigint')).toBe('9007199254740991');
  expect(await copied('-0.10', 'numeric')).toBe('-0.10');
  expect(await copied([1, 2, 30], 'bigint[]')).toBe('{1,2,30}');
  expect(await copied([], 'bigint[]')).toBe('{}');
  expect(await copied(null, 'text')).toBe('\\N');
  expect(await copied(true, 'boolean')).toBe('t');
  const { rows } = await sql
    .raw<{ n: number }>(`select cardinality(${literal(NASTY)}::text[]) as n`)
    .execute(copier.db);
  expect(rows[0]?.n).toBe(NASTY.length);
  const same = await sql
    .raw<{ same: boolean }>(
      `select ${literal(NASTY)}::text[] = array[${NASTY.map((one) => literal(one)).join(',')}] as same`,
    )
    .execute(copier.db);
  expect(same.rows[0]?.same).toBe(true);
});

test.each([['a\0b'], [Number.NaN], [Infinity], [{ a: 1 }], [Symbol('x')], [['a\0']], [[{}]]])(
  '%s has no literal',
  (value) => {
    expect(() => literal(value)).toThrow(/literal|NUL character|not finite/);
  },
);

test('a place for a value inside of a text is none', () => {
  expect(inlined(sql`select '$1', ${'$2'}, "x$3" from t where a = ${1}`)).toBe(
    `select '$1', '$2', "x$3" from t where a = '1'`,
  );
});
