import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { provideServer } from '../../../test/server.ts';
import { hasPrefix } from './filter.ts';

const server = provideServer({ jobs: false });

/** The first and last letter of each UTF-8 length, the neighbours of the surrogate range, and the wildcards of LIKE. */
const LETTERS = ['!', 'a', 'z', '~', '%', '_', '\\', '*', '\u007f', '\u0080', 'ß', '\u07ff', '\u0800', '中', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '😀', '\u{10ffff}']; // prettier-ignore

test('finds a prefix of any letters in byte order', async () => {
  const texts = ['', ...LETTERS, ...LETTERS.flatMap((one) => LETTERS.map((other) => one + other))];
  const prefixes = [
    '',
    ...LETTERS,
    ...LETTERS.map((letter) => `${letter}\u{10ffff}`),
    ...LETTERS.map((letter) => `a${letter}`),
  ];
  const found = await server.query(sql<{ prefix: string; wrong: string[] | null }>`
    ${sql.join(prefixes.map((text) => compareWithStartsWith(texts, text)), sql` union all `)}`); // prettier-ignore
  expect(found.filter(({ wrong }) => wrong !== null)).toEqual([]);
  expect(found).toHaveLength(prefixes.length);
});

const compareWithStartsWith = (texts: readonly string[], text: string): RawBuilder<unknown> => sql`
  select ${text}::text as prefix, array_agg(t.text) filter (where ${hasPrefix(sql.ref('t.text'), `${text}*`)} <> starts_with(t.text, ${text})) as wrong
  from unnest(${[...texts]}::text[]) as t(text)`;

test('a search by account prefix uses the index under row-level security', async () => {
  await server.query(sql`insert into users (account, agent_id, created_at, recorded_at, updated_at)
    select 'begins' || n, 1, 0, 0, 0 from generate_series(1, 20000) n`);
  await server.query(sql`analyze users`);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select x.id from users x where ${hasPrefix(sql.ref('x.account_key'), 'begins12*')}`.execute(
    server.app.requests,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond: .*~>=~/);
});
