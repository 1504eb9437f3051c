import { sql } from 'kysely';
import type { BenchDatabase } from './database.ts';
import { USERS } from './large-data.ts';
import { MARKETS, withoutTriggers } from './large-rows.ts';

/** A range of row numbers, both ends included. */
export interface Range {
  from: number;
  to: number;
}

/** The time of row `n`, as a statement sees it: three seconds apart, the newest now. */
const timeOf = (now: number, rows: number) => sql`(${now}::bigint - (${rows}::bigint - n) * 3000)`;

/** Entries in pairs: one of a user (a few have most of them) and the opposite one of the house. */
export const loadEntries = (database: BenchDatabase, { from, to }: Range, rows: number, now: number): Promise<void> =>
  withoutTriggers(database, (db) =>
    sql`
      with posting as materialized (
        select (n / 2)::bigint as leg, n, least(${USERS}, floor(power(${USERS}::float8, random())))::bigint as user_id,
          1 + floor(5 * power(random(), 2))::bigint as market_id, (1 + floor(3 * random()))::smallint as platform,
          1 + floor(8 * power(random(), 2))::smallint as type, round((1 + 9999 * random())::numeric, 2) as amount,
          ${timeOf(now, rows)} as at
        from generate_series(${from}::bigint, ${to}::bigint, 2) n)
      insert into entry (id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type,
        amount, balance, ref_type, ref_id, created_at, recorded_at)
      select p.n + s.k, p.leg, p.leg, 1 - 2 * s.k, case s.k when 0 then ${MARKETS} + p.user_id * 15 + p.market_id * 3 + p.platform
          else p.market_id end, p.market_id, case s.k when 0 then p.user_id end, case s.k when 0 then u.agent_id end,
        case s.k when 0 then p.platform else 0 end, 'active', p.type, p.amount * (1 - 2 * s.k), p.amount * 100, 'bench', p.leg,
        p.at, p.at
      from posting p join users u on u.id = p.user_id cross join (values (0), (1)) s(k)`.execute(db),
  );

export const loadTicks = (database: BenchDatabase, { from, to }: Range, rows: number, now: number): Promise<void> =>
  withoutTriggers(database, (db) =>
    sql`insert into tick (market_id, price, volume, at, recorded_at)
      select 1 + n % 5, round((100 + 10 * random())::numeric, 4), round((10 * random())::numeric, 4), ${timeOf(now, rows)},
        ${timeOf(now, rows)} from generate_series(${from}::bigint, ${to}::bigint) n`.execute(db),
  );

/** Audit rows like those of a passed withdrawal, with their seals, and a head over each 500. */
export const loadAudit = (database: BenchDatabase, { from, to }: Range, rows: number, now: number): Promise<void> =>
  withoutTriggers(database, async (db) => {
    await sql`
      insert into audit (id, operator_id, operator, session_id, ip, user_agent, action, target_type, target_id, user_id, account,
        agent_id, before, after, reason, result, request_id, created_at, recorded_at)
      overriding system value
      select ${rows}::bigint + n, 1, 'admin', 1, '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0',
        'withdraw.pass', 'withdraw', n, u.id, u.account, u.agent_id, '{"state": 0, "attempt": 0}', '{"state": 2, "attempt": 1}',
        '', 200, gen_random_uuid()::text, ${timeOf(now, rows)}, ${timeOf(now, rows)}
      from generate_series(${from}::bigint, ${to}::bigint) n join users u on u.id = 1 + n % ${USERS}`.execute(db);
    await sql`
      insert into audit_seal (seq, audit_id, rule, hash, sealed_at)
      select 1000 + n, ${rows}::bigint + n, 1, encode(sha256(n::text::bytea), 'hex'), ${timeOf(now, rows)}
      from generate_series(${from}::bigint, ${to}::bigint) n`.execute(db);
    await sql`
      insert into audit_head (number, previous, rows, hash, at, key, signature)
      select 1000 + n, repeat('0', 64), 1000 + n, repeat('0', 64), ${timeOf(now, rows)}, repeat('k', 60), repeat('s', 88)
      from generate_series(${from}::bigint, ${to}::bigint, 500) n`.execute(db);
  });
