import { readFileSync, readdirSync } from 'node:fs';
import { endpoints } from '@hengtai/contract/index.schema';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import type { TSchema } from '@sinclair/typebox';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { type TestServer, testServer } from '../../../../test/server.ts';
import { jobs } from '../../../modules.ts';

/** Proves that only the event `tick` writes a price, by calls, events, code and database privileges. */
let server: TestServer;
beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());

const WRITES_PRICE = /\binsert\s+into\s+tick\b|\bupdate\s+tick\b|\brecord_ticks\s*\(|\bprice(_at)?\s*=\s*(?!=)[^=\n]/i;

const codeBelow = (folder: URL): { path: string; text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(new URL(path, folder), 'utf8') }));

/** Every field name in a schema, at any depth, but those that only say what the caller has read: no handler gets them. */
function fieldsIn(schema: TSchema): string[] {
  const own = Object.entries<TSchema>(schema['properties'] ?? {}).filter(([, one]) => !one['readOnly']);
  const inner = [schema['items'], ...(schema['anyOf'] ?? [])].filter(Boolean) as TSchema[];
  return [...own.map(([name]) => name), ...own.flatMap(([, one]) => fieldsIn(one)), ...inner.flatMap(fieldsIn)];
}

test('no call has a field for the price of a market', () => {
  const taking = Object.entries(endpoints).flatMap(([noun, ends]) =>
    Object.entries<{ input: TSchema }>(ends).flatMap(([name, { input }]) =>
      fieldsIn(input)
        .filter((field) => /price|tick|volume|kline|candle/i.test(field) && field !== 'pricePrecision')
        .map((field) => `${noun}.${name} ${field}`),
    ),
  );
  // The prices of a protection band and of a signal are limits; they do not set a market price.
  expect(taking.toSorted()).toEqual([
    'plan.save maxPrice',
    'plan.save minPrice',
    'plan.save planPrice',
    'signal.add price',
    'signal.change price',
  ]);
});

test('tick is the only event with a price and no order number', () => {
  const naming = Object.entries(eventData).filter(([, schema]) => {
    const fields = Object.keys(schema.properties);
    return fields.includes('price') && !fields.includes('no');
  });
  expect(naming.map(([type]) => type)).toEqual(['tick']);
});

test('one statement writes prices, and only market events run it', () => {
  const src = new URL('../../../', import.meta.url);
  const writing = codeBelow(src).filter(({ text }) =>
    WRITES_PRICE.test(text.replaceAll(/^\s*(\*|\/\/).*$|\bconst \w+ = /gm, '')),
  );
  // The statements of signals match the pattern as well; they update the table signal only.
  expect(writing.map(({ path }) => path)).toEqual([
    'domains/trading/market/market.store.ts',
    'domains/trading/signal/signal.store.ts',
  ]);
  expect(writing[1]?.text.match(/\bupdate (\w+)/g)?.every((found) => found === 'update signal')).toBe(true);
  expect(writing[0]?.text.match(/record_ticks/g)).toHaveLength(1);
  const running = codeBelow(src).filter(({ text }) => /\binsertTicks\b/.test(text));
  expect(running.map(({ path }) => path).toSorted()).toEqual([
    'domains/trading/market/market.store.ts',
    'domains/trading/market/tick.store.ts',
  ]);
});

test('no job moves a price', async () => {
  await makeMarket(server);
  const prices = () =>
    server.query(sql`select id, price, price_at, (select count(*) from tick) as ticks from market order by id`);
  const before = await prices();
  for (const job of jobs) await job.run(server.app, new AbortController().signal);
  expect(await prices()).toEqual(before);
});

describe('the role of the server', () => {
  const refused = (statement: ReturnType<typeof sql>) =>
    expect(statement.execute(server.app.system)).rejects.toThrow('permission denied');

  test('may not change a price or insert a tick', async () => {
    await refused(sql`update market set price = 1`);
    await refused(sql`update market set price_at = 1`);
    await refused(
      sql`insert into market (market_name, price, created_at, recorded_at, updated_at) values ('X1', 1, 0, 0, 0)`,
    );
    await refused(sql`insert into tick (market_id, price, at, recorded_at) values (2, 1, 0, 0)`);
    await refused(sql`update tick set price = 1`);
    await refused(sql`delete from tick`);
  });

  test('has only the SELECT privilege on price columns', async () => {
    const rights = await server.query(sql<{ name: string }>`
      select distinct c.table_name || '.' || c.column_name || ' ' || c.privilege_type as name
      from information_schema.column_privileges c, pg_tables t
      where t.schemaname = 'public' and t.tablename = 'market' and c.table_name in ('market', 'tick') and c.grantee <> t.tableowner
        and (c.table_name = 'tick' or c.column_name in ('price', 'price_at')) and c.privilege_type <> 'SELECT'`);
    expect(rights).toEqual([]);
  });
});
