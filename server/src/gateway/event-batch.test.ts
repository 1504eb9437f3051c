import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { provideServer } from '../../test/server.ts';
import { inTransaction } from '../database/connect.ts';
import { tablesIn } from '../database/statement-hook.ts';
import { FlushFailed } from '../books/ledger/ledger-batch.ts';
import { EventBatch, READS_UNNAMED, type Writer } from './event-batch.ts';
import { Rejected, reject } from './rejected.ts';

const server = provideServer({ jobs: false });

/** Runs `work` with a batch and two writers that only record the rows they would write. */
async function withBatch(
  isDeferred: boolean,
  work: (batch: EventBatch, logins: Writer<string>, orders: Writer<string>) => Promise<void>,
): Promise<string[]> {
  const steps: string[] = [];
  const writer = (...tables: [string, ...string[]]): Writer<string> => ({
    tables,
    write: async (_db, rows) => void steps.push(`${tables[0]}: ${rows.join()}`),
  });
  await inTransaction(server.app.system, async (db) => {
    const batch = new EventBatch(db, Date.now(), isDeferred);
    await work(batch, writer('user_login', 'users'), writer('trade_order'));
    steps.push('end');
    await batch.flush();
  });
  return steps;
}

const read = (batch: EventBatch, text: string) => sql.raw(text).execute(batch.db);

describe('a deferred batch', () => {
  test('writes the rows of each kind together, kinds in the order of their first rows', async () => {
    const steps = await withBatch(true, async (batch, logins, orders) => {
      await batch.insert(orders, 'a');
      await batch.insert(logins, 'b');
      await batch.insert(orders, 'c');
    });
    expect(steps).toEqual(['end', 'trade_order: a,c', 'user_login: b']);
  });

  test.each([
    ['select 1 from trade_order', true],
    ['select 1 from users u join trade_order o on o.user_id = u.id', true],
    ['with changed as (update trade_order set state = 0 where false returning 1) select * from changed', true],
    ['select 1 from market m, trade_order o where false', true],
    ['select 1 from (trade_order o join market m on m.id = o.market_id)', true],
    ['select 1 from only public."trade_order"', true],
    ['update trade_order set state = 0 where false', true],
    ['select trade_order.id from ieo trade_order where false', false],
    ["select 'x' as trade_order from market limit 1", false],
    ['select 1 from trade_fill', false],
  ])('before "%s" rows of trade_order are written: %s', async (text, isWritten) => {
    const steps = await withBatch(true, async (batch, _logins, orders) => {
      await batch.insert(orders, 'a');
      await read(batch, text);
    });
    expect(steps).toEqual(isWritten ? ['trade_order: a', 'end'] : ['end', 'trade_order: a']);
  });

  test('writes all kinds before a statement that needs one of them, and again what follows', async () => {
    const steps = await withBatch(true, async (batch, logins, orders) => {
      await batch.insert(orders, 'a');
      await batch.insert(logins, 'b');
      await read(batch, 'select 1 from users limit 1');
      await batch.insert(orders, 'c');
    });
    expect(steps).toEqual(['trade_order: a', 'user_login: b', 'end', 'trade_order: c']);
  });

  test('writes a kind that is last after all others', async () => {
    const steps = await withBatch(true, async (batch, logins, orders) => {
      await batch.insert({ ...orders, isLast: true }, 'a');
      await batch.insert(logins, 'b');
    });
    expect(steps).toEqual(['end', 'user_login: b', 'trade_order: a']);
  });

  test('throws what no handler takes for its own rejection when waiting rows cannot be written', async () => {
    const failing: Writer<string> = { tables: ['trade_order'], write: () => Promise.reject(reject('exists')) };
    const work = withBatch(true, async (batch) => {
      await batch.insert(failing, 'a');
      await read(batch, 'select 1 from trade_order');
    });
    await expect(work).rejects.toThrow(FlushFailed);
    await expect(work).rejects.toMatchObject({ cause: expect.any(Rejected) as unknown });
  });

  test('reads a value once, and a missing one each time', async () => {
    const reads: string[] = [];
    await withBatch(true, async (batch) => {
      const find = (key: string, value?: number) => batch.once(key, async () => (reads.push(key), value));
      expect([await find('a', 1), await find('a', 2), await find('b'), await find('b', 3)]).toEqual([
        1,
        1,
        undefined,
        3,
      ]);
    });
    expect(reads).toEqual(['a', 'b', 'b']);
  });

  test('takes ids for the events that may follow, in order', async () => {
    await withBatch(true, async (batch, _logins, orders) => {
      const numbered: Writer<{ no: string; id: number }> = { ...orders, write: async () => undefined };
      batch.startEvent(3);
      const first = await batch.insertWithId(numbered, { no: 'a' });
      const other = await server.query(sql<{ id: number }>`select nextval('trade_order_id_seq') as id`);
      expect(other[0]?.id).toBe(first + 3);
      batch.startEvent(2);
      expect(await batch.insertWithId(numbered, { no: 'b' })).toBe(first + 1);
    });
  });

  test('counts changes, but neither reads nor locks', async () => {
    await withBatch(true, async (batch, logins) => {
      await read(batch, 'select 1 from users limit 1');
      await read(batch, 'select 1 from users limit 1 for no key update');
      expect(batch.changes).toBe(0);
      await read(batch, 'update users set remark = remark where false');
      await batch.insert(logins, 'a');
      expect(batch.changes).toBe(2);
    });
  });
});

test('a batch that is not deferred writes each row at once, throws its error, and reads again', async () => {
  const steps = await withBatch(false, async (batch, logins, orders) => {
    await batch.insert(orders, 'a');
    await batch.insert(logins, 'b');
    await batch.insert(orders, 'c');
    const failing: Writer<string> = { tables: ['trade_order'], write: () => Promise.reject(reject('exists')) };
    await expect(batch.insert(failing, 'd')).rejects.toThrow(Rejected);
    expect([await batch.once('a', async () => 1), await batch.once('a', async () => 2)]).toEqual([1, 2]);
  });
  expect(steps).toEqual(['trade_order: a', 'user_login: b', 'trade_order: c', 'end']);
});

describe('what statements reach without naming it', () => {
  const WAITING = (
    'account entry hold leg transfer auth config credential_change future_close future_order internal_transfer market ' +
    'plan recharge tick trade_fill trade_order user_login users withdraw'
  ).split(' ');
  /** Names after words that precede a table. A comma is no such word here, because the texts have many lists of columns. */
  const placesIn = (text: string): string[] =>
    Array.from(text.matchAll(/\b(?:from|join|into|update|only)\s+\(?([a-z_]\w*)/gi), ([, name = '']) => name);

  /** Functions and views that read a waiting table, also through each other, and tables with triggers that run them. */
  async function findReaders(): Promise<{ names: string[]; triggers: string[] }> {
    const sources = await server.query(sql<{ name: string; text: string }>`
      select proname as name, prosrc as text from pg_proc where pronamespace = 'public'::regnamespace
      union all select viewname, definition from pg_views where schemaname = 'public'`);
    const readers = new Set(WAITING);
    for (let size = 0; size < readers.size;) {
      size = readers.size;
      for (const { name, text } of sources) {
        const calls = Array.from(text.matchAll(/\b(\w+)\s*\(/g), ([, called = '']) => called);
        if ([...placesIn(text), ...calls].some((used) => readers.has(used))) readers.add(name);
      }
    }
    const names = [...readers].filter((name) => !WAITING.includes(name));
    const triggers = await server.query(sql<{ text: string }>`
      select case when t.tgtype & 4 > 0 then 'insert into ' when t.tgtype & 8 > 0 then 'delete from ' else 'update ' end
        || t.tgrelid::regclass as text
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and p.proname = any(${names}::text[]) order by 1`);
    const isFunction = (name: string): boolean => !name.startsWith('count_');
    return { names: names.filter(isFunction).toSorted(), triggers: triggers.map(({ text }) => text) };
  }

  test('is written first as well', async () => {
    const { names, triggers } = await findReaders();
    expect(names).toContain('value_of');
    expect(triggers).toContain('insert into closure');
    expect(names.filter((name) => !READS_UNNAMED.test(`select ${name}(1)`))).toEqual([]);
    expect(triggers.filter((text) => !READS_UNNAMED.test(`${text} x`))).toEqual([]);
  });

  test('includes no foreign key but those whose statements name the other table', async () => {
    const keys = await server.query(sql<{ child: string }>`
      select distinct conrelid::regclass::text as child from pg_constraint
      where contype = 'f' and confrelid::regclass::text in ('recharge', 'withdraw', 'trade_order', 'future_order',
        'internal_transfer', 'auth', 'user_login', 'trade_fill', 'future_close') order by 1`);
    expect(keys.map(({ child }) => child)).toEqual([
      'auth_look',
      'future_close',
      'future_funding',
      'future_open',
      // Only decisions of operators write it.
      'payout_text',
      'trade_fill',
    ]);
  });
});

test('tables are found in every place of a statement', () => {
  const text = `with a as (insert into one (x, y) select u.two, 2 from three u left join lateral (select 1 from "four") f on true)
    update five set x = 1 from six, public.seven where exists (select from only eight) for update of nine`;
  const found = tablesIn(text);
  for (const table of ['one', 'three', 'four', 'five', 'six', 'seven', 'eight']) expect(found).toContain(table);
  expect(found).not.toContain('two');
});
