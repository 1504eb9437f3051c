import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/server.ts';
import { begins } from './filter.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());

/** Letters at both ends of each length that UTF-8 has, beside the halves of UTF-16, and what LIKE would not take literally. */
const LETTERS = ['!', 'a', 'z', '~', '%', '_', '\\', '*', '\u007f', '\u0080', 'ß', '\u07ff', '\u0800', '中', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '😀', '\u{10ffff}']; // prettier-ignore

test('texts begin so whatever their letters are, in the order of their bytes', async () => {
  const texts = ['', ...LETTERS, ...LETTERS.flatMap((one) => LETTERS.map((other) => one + other))];
  const asked = [
    '',
    ...LETTERS,
    ...LETTERS.map((letter) => `${letter}\u{10ffff}`),
    ...LETTERS.map((letter) => `a${letter}`),
  ];
  const found = await server.query(sql<{ asked: string; wrong: string[] | null }>`
    ${sql.join(asked.map((text) => ofAll(texts, text)), sql` union all `)}`); // prettier-ignore
  expect(found.filter(({ wrong }) => wrong !== null)).toEqual([]);
  expect(found).toHaveLength(asked.length);
});

const ofAll = (texts: readonly string[], text: string): RawBuilder<unknown> => sql`
  select ${text}::text as asked, array_agg(t.text) filter (where ${begins(sql.ref('t.text'), `${text}*`)} <> starts_with(t.text, ${text})) as wrong
  from unnest(${[...texts]}::text[]) as t(text)`;

test('an account is looked for in its index, also under row-level security', async () => {
  await server.query(sql`insert into users (account, agent_id, created_at, recorded_at, updated_at)
    select 'begins' || n, 1, 0, 0, 0 from generate_series(1, 20000) n`);
  await server.query(sql`analyze users`);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select x.id from users x where ${begins(sql.ref('x.account_key'), 'begins12*')}`.execute(
    server.app.requests,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond: .*~>=~/);
});
