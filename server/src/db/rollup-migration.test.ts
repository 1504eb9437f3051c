import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openPool } from './connect.ts';
import { migrate } from './migrate.ts';
import { checkRollups } from './rollup-check.ts';
import { compactRollups } from './rollup-compact.ts';
import { ROLL_LIMITS } from './rollup.ts';

const { baseUrl, clonePrefix } = inject('cluster');
const name = `${clonePrefix}rollup_past`;
const url = Object.assign(new URL(baseUrl), { pathname: `/${name}` }).toString();

async function onBase(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: baseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

beforeAll(() => onBase(`create database ${name}`));
afterAll(() => onBase(`drop database ${name} with (force)`, `drop role if exists ${name}_app`));

test('a database that had rows before knows their totals after its migration', async () => {
  await migrate(url, { upTo: 20 });
  const client = new Client({ connectionString: url });
  await client.connect();
  const of = 'created_at, recorded_at, updated_at';
  await client.query(`
    insert into agent (id, account, parent_id, depth, ${of}) overriding system value values (1, 'first', null, 0, 1, 1, 1), (2, 'second', 1, 1, 1, 1, 1),
      (3, 'third', 2, 2, 1, 1, 1);
    update agent set deleted_at = 1, shown_account = 'second' where id = 3;
    insert into closure values (1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3);
    insert into users (id, account, agent_id, deleted_at, ${of}) overriding system value
      select n, 'user' || n, 1 + n % 3, case n when 5 then 1 end, n, 1, 1 from generate_series(1, 9) n;
    insert into market (id, market_name, ${of}) overriding system value select 90 + n, 'M' || n, 1, 1, 1 from generate_series(1, 2) n;
    insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, ${of})
      select n, u.id, u.agent_id, 91 + n % 2, 'T', 'T', n + 1, 1, n % 10, n, n, n from generate_series(1, 99) n join users u on u.id = 1 + n % 9;
    insert into recharge (no, user_id, agent_id, market_id, network, address, amount, source, state, ${of})
      select n, u.id, u.agent_id, 91, 'T', 'T', n, 1 + n % 2, n % 5, n, n, n from generate_series(1, 50) n join users u on u.id = 1 + n % 9;
    insert into account (owner, owner_id, user_id, agent_id, market_id, platform, bucket, balance, created_at)
      select owner, 4, case owner when 'user' then 4 end, case owner when 'user' then 1 end, 91, 1, 'active', 0, 1 from (values ('user'), ('custody')) o(owner);
    with t as (insert into transfer (ref_type, ref_id, created_at, recorded_at) values ('x', 1, 1, 1) returning id),
    l as (insert into leg (id, transfer_id, market_id, amount) select 1, id, 91, 7 from t)
    insert into entry (transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount, balance,
      ref_type, ref_id, created_at, recorded_at)
    select t.id, 1, case a.owner when 'user' then 1 else -1 end, a.id, 91, a.user_id, a.agent_id, 1, 'active', 1,
      case a.owner when 'user' then 7 else -7 end, 7, 'x', 1, 1, 1 from t cross join account a;
    insert into fund_check (entry_id, user_id, agent_id, state, operator_id, updated_at)
      select id, user_id, agent_id, 2, 1, 1 from entry where user_id is not null`);
  expect((await migrate(url, { upTo: 46 })).applied).toContain('0021-rollups');
  const { db, end } = openPool({ url, max: 1, name: 'test-rollup-past', onError: () => undefined });
  const compact = async (): Promise<void> => {
    while (await compactRollups({ system: db }, { ...ROLL_LIMITS, promoteAt: 20, blockRows: 8 }));
  };
  try {
    expect(await checkRollups(db)).toEqual([]);
    await compact();
    expect(await checkRollups(db)).toEqual([]);
    const sums = await db.selectFrom('roll_sum').select(['noun', 'n']).where('kind', '=', 0).execute();
    const totalOf = (noun: number) => sums.filter((row) => row.noun === noun).reduce((sum, { n }) => sum + n, 0);
    expect([1, 2, 3, 4].map(totalOf)).toEqual([99, 50, 1, 8]);

    // As if what belongs to a deleted agent had been counted by itself, with blocks and ranges of its own.
    await client.query(`
      with part as (update roll_sum set n = n - 1, s1 = s1 - 1 where noun = 1 and kind = 2 and key = 2 and n > 0 returning *)
        insert into roll_sum select noun, kind, 3, d1, d2, market_key, 1, 1, 0, 0 from part;
      update roll_sum set key = 3 where noun = 2 and kind = 2 and key = 2;
      delete from roll_block where kind = 2 and key in (2, 3);
      insert into roll_grid (noun, kind, key, shift) select n, 2, k, 13 from generate_series(1, 2) n, generate_series(2, 3) k
        on conflict (noun, kind, key) do update set shift = 13;
      insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
        select noun, kind, key, level, 0, 0, 0, 0, sum(n), 0, 0, 0, 0, 99 from roll_sum cross join (values (2), (3)) l(level)
        where noun < 3 and kind = 2 and key in (2, 3) group by 1, 2, 3, 4;
      with r as (insert into roll_range (noun, kind, key, first, most) select 1, 2, k, '', 100 from generate_series(2, 3) k returning id)
        insert into roll_grid (noun, kind, key, shift) select 1, 4, id, 13 from r`);
    expect(await checkRollups(db)).not.toEqual([]);
    await migrate(url);
    expect(await checkRollups(db)).toEqual([]);
    const { rows } = await client.query(
      'select key from roll_sum where kind = 2 union select key from roll_grid where kind = 2',
    );
    expect(rows).not.toContainEqual({ key: '3' });
    await compact();
    expect(await checkRollups(db)).toEqual([]);
    const left = await client.query('select 1 from roll_range union all select 1 from roll_grid where kind = 4');
    expect(left.rows).toEqual([]);
    const marks = await client.query(
      'select market_id, platform, bucket, type, amount::float, created_at from fund_check',
    );
    expect(marks.rows).toEqual([
      { market_id: '91', platform: 1, bucket: 'active', type: 1, amount: 7, created_at: '1' },
    ]);
  } finally {
    await end();
    await client.end();
  }
});
