import { array, assert, asyncProperty, integer } from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { openPool } from './connect.ts';
import { inlineParameters } from './copy.ts';
import { hasBit, isAmong } from './scope.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool({ url: database.url, max: 1, name: 'test', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const ID = integer({ min: 1, max: 2_000 });

async function findIds(condition: ReturnType<typeof hasBit>, among: readonly (number | null)[]): Promise<unknown[]> {
  const statement = sql<{ id: number | null }>`
    select asked.id from unnest(${[...among]}::bigint[]) as asked(id) where ${condition} order by 1`;
  const { rows } = await statement.execute(pool.db);
  const copied = await sql.raw<{ id: number | null }>(inlineParameters(statement)).execute(pool.db);
  expect(copied.rows).toEqual(rows);
  return rows.map(({ id }) => id);
}

test('hasBit and isAmong find exactly the listed agents, with parameters and with inlined values', async () => {
  const beyond = [null, 0, -1, 7, 8, 2_001, 2_047, 2_048, 2 ** 31, 2 ** 52];
  const column = sql.ref('asked.id');
  await assert(
    asyncProperty(array(ID, { maxLength: 300 }), array(ID, { maxLength: 50 }), async (ids, others) => {
      const candidates = [...new Set([...others, ...ids.slice(0, 20)])];
      const listed = candidates.filter((id) => ids.includes(id)).toSorted((a, b) => a - b);
      const edges = beyond.filter((id) => id !== null && ids.includes(id) && !candidates.includes(id));
      const all = [...listed, ...edges].toSorted((a, b) => Number(a) - Number(b));
      const among = [...new Set([...candidates, ...beyond])];
      expect(await findIds(hasBit(column, ids), among)).toEqual(all);
      expect(await findIds(isAmong(column, ids), among)).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

test('an empty list matches no agent', async () => {
  expect(await findIds(hasBit(sql.ref('asked.id'), []), [null, 0, 1, 15, 16, 99])).toEqual([]);
});
