import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { Connection } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readText, openTestCopier } from '../../test/copier.ts';
import { CopyOut } from './copy-out.ts';
import { openCopier } from './copy.ts';

let copier: Awaited<ReturnType<typeof openTestCopier>>;
beforeAll(async () => {
  copier = await openTestCopier();
});
afterAll(() => copier.end());

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
  expect([rows.rows, rows.isDone]).toEqual([2000, true]);
  await expectUsable();
});

test('a chunk stays valid until the next is requested, and a slow reader causes no buffering beyond 128 KiB', async () => {
  const rows = copier.copy(sql`select n, md5(n::text) as text from generate_series(1, 50000) n`, ['n', 'text']);
  let longest = 0;
  let bytes = 0;
  for await (const chunk of rows) {
    const before = chunk.toString();
    for (let i = 0; i < 20; i += 1) await turn();
    expect(chunk.toString() === before).toBe(true);
    longest = Math.max(longest, chunk.length);
    bytes += chunk.length;
  }
  expect(bytes).toBeGreaterThan(50_000 * 34);
  expect(longest).toBeLessThanOrEqual(128 * 1024);
  expect(rows.rows).toBe(50_000);
});

test('an empty result ends the iteration', async () => {
  const rows = copier.copy(sql`select 1 as n where false`, ['n']);
  expect([await readText(rows), rows.rows]).toEqual(['', 0]);
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

/** Encodes a message of the PostgreSQL protocol. */
function message(code: string, body: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeUInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

test.each([1, 2, 3, 5, 7, 1000])('messages split every %i bytes are parsed', async (size) => {
  const stream = new PassThrough();
  const forwarded: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => void forwarded.push(bytes));
  const rows = new CopyOut('copy');
  rows.submit(Object.assign(new Connection(), { stream, query: () => undefined }));
  const others = [message('H', '\0\0\0'), message('N', 'notice'), message('c', '')];
  const [begin, notice, done] = others as [Buffer, Buffer, Buffer];
  const all = Buffer.concat([begin, message('d', 'a\tb\n'), notice, message('d', '\n'), message('d', '中\n'), done]);
  for (let at = 0; at < all.length; at += size) stream.write(all.subarray(at, at + size));
  await new Promise((resolve) => stream.write(message('Z', 'I'), resolve));
  rows.handleReadyForQuery();
  expect(await readText(rows)).toBe('a\tb\n\n中\n');
  expect(Buffer.concat(forwarded).toString()).toBe(Buffer.concat([...others, message('Z', 'I')]).toString());
});
