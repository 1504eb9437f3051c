import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { Connection } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copiedText, testCopier } from '../../test/copier.ts';
import { CopyOut } from './copy-out.ts';
import { openCopier } from './copy.ts';

let copier: Awaited<ReturnType<typeof testCopier>>;
beforeAll(async () => {
  copier = await testCopier();
});
afterAll(() => copier.end());

const goesOn = async (): Promise<void> =>
  expect((await sql<{ one: number }>`select 1 as one`.execute(copier.db)).rows).toEqual([{ one: 1 }]);

test('rows come out as they are, short ones and some that are longer than what is read at once', async () => {
  const rows = copier.copy(
    sql`select n, repeat('x', case when n % 500 = 0 then 200000 else n % 7 end) as text from generate_series(1, 2000) n`,
    ['n', 'text'],
  );
  const lines = (await copiedText(rows)).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines).toEqual(
    Array.from({ length: 2000 }, (_, i) => `${i + 1}\t${'x'.repeat((i + 1) % 500 === 0 ? 200_000 : (i + 1) % 7)}`),
  );
  expect([rows.rows, rows.over]).toEqual([2000, true]);
  await goesOn();
});

test('a piece stays as it is until the next is asked for, and who reads slowly gets no more than the memory holds', async () => {
  const rows = copier.copy(sql`select n, md5(n::text) as text from generate_series(1, 50000) n`, ['n', 'text']);
  let longest = 0;
  let bytes = 0;
  for await (const piece of rows) {
    const before = piece.toString();
    for (let i = 0; i < 20; i += 1) await turn();
    expect(piece.toString() === before).toBe(true);
    longest = Math.max(longest, piece.length);
    bytes += piece.length;
  }
  expect(bytes).toBeGreaterThan(50_000 * 34);
  expect(longest).toBeLessThanOrEqual(128 * 1024);
  expect(rows.rows).toBe(50_000);
});

test('no row at all is an end', async () => {
  const rows = copier.copy(sql`select 1 as n where false`, ['n']);
  expect([await copiedText(rows), rows.rows]).toEqual(['', 0]);
});

test('a fault behind many rows is one, and the connection goes on', async () => {
  const rows = copier.copy(sql`select 1 / (90000 - n) as n from generate_series(1, 100000) n`, ['n']);
  await expect(copiedText(rows)).rejects.toThrow('division by zero');
  await goesOn();
});

test('a connection that ends on the way is a fault', async () => {
  const other = await openCopier(copier.url, () => undefined);
  const { rows: pids } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other.db);
  const rows = other.copy(sql`select n, md5(n::text) as text from generate_series(1, 1000000) n`, ['n', 'text']);
  const reading = expect(copiedText(rows)).rejects.toThrow(/terminat/);
  await sql`select pg_terminate_backend(${pids[0]?.pid})`.execute(copier.db);
  await reading;
  await other.end();
});

test('what else the database says in between is no row', async () => {
  await sql`create or replace function pg_temp.say(n int) returns int language plpgsql as
    $$ begin raise notice 'row %', n; return n; end $$`.execute(copier.db);
  expect(await copiedText(copier.copy(sql`select pg_temp.say(n) as n from generate_series(1, 3) n`, ['n']))).toBe(
    '1\n2\n3\n',
  );
});

/** A message of PostgreSQL's. */
function message(code: string, body: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeUInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

test.each([1, 2, 3, 5, 7, 1000])('messages are told apart wherever they are cut: every %i bytes', async (size) => {
  const stream = new PassThrough();
  const heard: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => void heard.push(bytes));
  const rows = new CopyOut('copy');
  rows.submit(Object.assign(new Connection(), { stream, query: () => undefined }));
  const others = [message('H', '\0\0\0'), message('N', 'notice'), message('c', '')];
  const [begin, notice, done] = others as [Buffer, Buffer, Buffer];
  const all = Buffer.concat([begin, message('d', 'a\tb\n'), notice, message('d', '\n'), message('d', '中\n'), done]);
  for (let at = 0; at < all.length; at += size) stream.write(all.subarray(at, at + size));
  await new Promise((resolve) => stream.write(message('Z', 'I'), resolve));
  rows.handleReadyForQuery();
  expect(await copiedText(rows)).toBe('a\tb\n\n中\n');
  expect(Buffer.concat(heard).toString()).toBe(Buffer.concat([...others, message('Z', 'I')]).toString());
});
