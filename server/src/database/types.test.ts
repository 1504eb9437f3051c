import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { type Db, openPool } from './connect.ts';

let database: TestDatabase;
let db: Db;
let close: () => Promise<void>;

beforeAll(async () => {
  database = await testDatabase();
  ({ db, end: close } = openPool({ url: database.url, max: 1, name: 'test-types', onError: () => undefined }));
});
afterAll(async () => {
  await close();
  await database.drop();
});

/** The database types that the driver's parsers and the tests below know; tables must not use others. */
const TYPES = [
  '_int4',
  '_int8',
  '_text',
  'bool',
  'bytea',
  'int2',
  'int4',
  'int8',
  'json',
  'jsonb',
  'numeric',
  'text',
  'uuid',
];

interface Column {
  table: string;
  column: string;
  type: string;
  precision: number | null;
  scale: number | null;
}

const fetchColumns = async (): Promise<Column[]> => {
  const { rows } = await sql<Column>`
    select table_name as "table", column_name as "column", udt_name as type,
      numeric_precision as precision, numeric_scale as scale
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name, ordinal_position`.execute(db);
  return rows;
};

test('tables use only types that the driver parses', async () => {
  expect((await fetchColumns()).filter(({ type }) => !TYPES.includes(type))).toEqual([]);
});

test('amounts are numeric(36,18), stored sums are numeric(60,18)', async () => {
  const numbers = (await fetchColumns()).filter(({ type }) => type === 'numeric');
  const isSum = ({ table, column }: Column): boolean =>
    /^(counter|fund_(delta|day|sum)$|wallet_(balance|coin|judgement)$)/.test(table) ||
    (table === 'withdraw_fact' && !column.startsWith('amount'));
  const amounts = numbers.filter((column) => !isSum(column));
  const sums = numbers.filter(isSum);
  expect(amounts.length).toBeGreaterThan(10);
  expect(sums.filter(({ precision, scale }) => precision !== 60 || scale !== 18)).toEqual([]);
  expect(amounts.filter(({ precision, scale }) => precision !== 36 || scale !== 18)).toEqual([]);
});

test('the driver returns each kind as its declared type', async () => {
  const { rows } = await sql`
    select true as bool, 1::smallint as small, 2::integer as int, array[1, 2]::int[] as ints, 9007199254740991::bigint as big,
      array[3, 4]::bigint[] as bigs, array[]::bigint[] as no_bigs, 1.500000000000000000::numeric(36, 18) as numeric,
      -0.0::numeric as zero, 1000.000::numeric as thousand, 1e-18::numeric as least, 'x' as text, array['a', 'b'] as texts,
      '{"a": [1]}'::jsonb as json, '\\x00ff'::bytea as bytes,
      '00000000-0000-4000-8000-000000000001'::uuid as id`.execute(db);
  expect(rows).toEqual([
    {
      bool: true,
      small: 1,
      int: 2,
      ints: [1, 2],
      big: 9_007_199_254_740_991,
      bigs: [3, 4],
      no_bigs: [],
      numeric: '1.5',
      zero: '0',
      thousand: '1000',
      least: '0.000000000000000001',
      text: 'x',
      texts: ['a', 'b'],
      json: { a: [1] },
      bytes: Buffer.from([0, 255]),
      id: '00000000-0000-4000-8000-000000000001',
    },
  ]);
});
