import { sql } from 'kysely';
import type { BenchDatabase } from './database.ts';

const AGENTS = 5_000;
const DEPTH = 16;
const USERS = 500_000;
/** The last agents have nobody yet. */
const NEWBORN = 50;
/** A subtree whose users have done nothing since the first fifth of all rows. */
export const DORMANT_ROOT = 'agent40';
const ROW_MS = 3_000;

/** Numbers from 0 to 1, alike in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/**
 * 5,000 agents in a tree 16 levels deep, 500,000 users and so many withdrawals. The k-th agent has about 1/k of the first
 * one's users, the k-th user about 1/k of the first one's rows; who, when, which coin and which state are drawn
 * independently of each other.
 */
export async function loadLarge(database: BenchDatabase, rows: number, took: (what: string) => void): Promise<void> {
  const now = Date.now();
  await loadTree(database, now);
  took('agents');
  await sql`select setseed(0.42)`.execute(database.db);
  await database.query(sql`insert into users (id, account, agent_id, state, auth, created_at, recorded_at, updated_at)
    overriding system value
    select k, 'user' || k, 101 + (${AGENTS - NEWBORN} ^ random())::int, (random() < 0.98)::int, (random() * 4)::int,
      ${now - rows * ROW_MS}::bigint, ${now}, ${now} from generate_series(1, ${USERS}::int) k`);
  await database.query(sql`select setval(pg_get_serial_sequence('users', 'id'), ${USERS})`);
  await database.query(sql`analyze users`);
  took('users');
  await loadWithdrawals(database, rows, now, took);
}

async function loadTree(database: BenchDatabase, now: number): Promise<void> {
  const random = seeded(16);
  const depths = [0];
  const parents = [0];
  for (let k = 1; k <= AGENTS; k += 1) {
    // One line goes down to the last level; the others stand below one of those before them, most often an early one.
    let parent = k <= DEPTH ? k - 1 : Math.floor((k - 1) * random() ** 3);
    while ((depths[parent] ?? 0) >= DEPTH) parent = Math.floor((k - 1) * random());
    parents.push(parent);
    depths.push((depths[parent] ?? 0) + 1);
  }
  const ids = parents.map((_, k) => (k === 0 ? 1 : 100 + k)).slice(1);
  await database.query(sql`
    insert into agent (id, account, password_hash, parent_id, depth, abilities, created_at, recorded_at, updated_at)
    overriding system value
    select a.id, 'agent' || (a.id - 100), (select password_hash from agent where id = 1), a.parent, a.depth, '{1,2,3,4,5,6,7,8}', ${now}, ${now}, ${now}
    from unnest(${ids}::bigint[], ${parents.slice(1).map((p) => (p === 0 ? 1 : 100 + p))}::bigint[], ${depths.slice(1)}::int[]) a(id, parent, depth)
    order by a.depth`);
  await database.query(sql`
    with recursive up as (
      select id as descendant, id as ancestor from agent
      union all
      select up.descendant, a.parent_id from up join agent a on a.id = up.ancestor where a.parent_id is not null
    )
    insert into closure (ancestor, descendant) select ancestor, descendant from up on conflict do nothing`);
  await database.query(sql`analyze agent, closure`);
}

/** Without indexes and references while it goes, and with all of them after it. */
async function loadWithdrawals(
  database: BenchDatabase,
  rows: number,
  now: number,
  took: (what: string) => void,
): Promise<void> {
  const indexes = await database.query(sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = 'withdraw'::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
  for (const { name } of indexes) await database.query(sql`drop index ${sql.raw(name)}`);
  await database.db.connection().execute(async (one) => {
    // The owner of a database of our own may leave out what checks each row.
    await sql`set session_replication_role = replica`.execute(one);
    await sql`set max_parallel_workers_per_gather = 0`.execute(one);
    await sql`set work_mem = '512MB'`.execute(one);
    await sql`create temp table who as select u.id, u.agent_id, exists (select from closure c join agent a on a.id = c.ancestor
      where a.account = ${DORMANT_ROOT} and c.descendant = u.agent_id) as dormant from users u`.execute(one);
    await sql`create unique index on who (id)`.execute(one);
    await sql`analyze who`.execute(one);
    await sql`select setseed(0.17)`.execute(one);
    await sql`
      insert into withdraw (id, no, user_id, agent_id, market_id, network, address, amount, fee, valuation, tx_hash, attempt, state, risk,
        by_account, reviewed_at, created_at, recorded_at, updated_at) overriding system value
      select n, 'W' || n, who.id, who.agent_id, r.market, 'TRC20', 'T' || r.place, r.amount, 1, r.amount,
        case when r.state in (4, 9) then 'hash' || n else '' end, case when r.state = 4 then 1 else 0 end, r.state,
        case when r.chance < 0.03 then '{first_address}'::text[] else '{}' end,
        case when r.state > 0 then 'admin' end, case when r.state > 0 then r.at end, r.at, r.at, r.at
      from (
        select n, (${USERS} ^ random())::int as one, (${USERS} ^ random())::int as other, random() as chance,
          1 + floor(5 * random() ^ 2)::int as market, (random() * 300000)::int as place, 10 + (random() * 99990)::numeric(12, 2) as amount,
          ${now} - (${rows} - n) * ${ROW_MS}::bigint - (random() * 60000)::bigint as at,
          case when n > ${rows} * 0.98 and random() < 0.2 then 0
            when mood < 0.82 then 4 when mood < 0.9 then 5 when mood < 0.95 then 6 when mood < 0.975 then 9 when mood < 0.99 then 7
            else 8 end as state
        from (select n, random() as mood from generate_series(1, ${rows}::bigint) n offset 0) drawn offset 0
      ) r
      join who first on first.id = r.one
      join who on who.id = case when first.dormant and r.n > ${rows} * 0.2 then (select min(id) from who where not dormant) + (r.other % 1000) else r.one end
      where not (who.dormant and r.n > ${rows} * 0.2)
      -- As they came, which a join in parts does not keep.
      order by r.n`.execute(one);
  });
  took('rows');
  for (const { definition } of indexes) await database.query(sql`${sql.raw(definition)}`);
  await database.query(sql`select setval(pg_get_serial_sequence('withdraw', 'id'), ${rows})`);
  await database.query(sql`vacuum analyze withdraw`);
  took('indexes');
}
