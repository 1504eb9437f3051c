import { KEY_COLUMNS, keyValues } from './destination.ts';
import { sql } from 'kysely';
import { compactCounters } from '../../server/src/books/lists/counters.ts';
import { type BenchDatabase, vacuumAndAnalyze } from './database.ts';
import { scaleCount } from './run.ts';

const AGENTS = 500;
const USERS = 5_000;
const WITHDRAWALS = scaleCount(100_000, 1_000);

/** An operator whose lists are measured. */
export interface Viewer {
  name: string;
  account: string;
  /** Exact number of withdrawals in its tree, and of those that wait for review. */
  rows: number;
  waiting: number;
}

/** A deterministic, uniform value in 0..1 for `n`: multiples of the golden ratio. */
const spread = (n: string, salt: number) => sql.raw(`((((${n}) * 0.6180339887498949 + ${salt}) % 1)::float8)`);

/**
 * Loads 500 agents in a tree, 5,000 users and 100,000 withdrawals. The distribution is Zipfian: the k-th agent or user has
 * about 1/k of the first one's rows.
 */
export async function loadLists(database: BenchDatabase): Promise<Viewer[]> {
  const { db } = database;
  const now = Date.now();
  // The parent of agent k is an earlier agent, usually one of the first; the first ten are below the admin.
  await sql`
    insert into agent (id, account, password_hash, parent_id, depth, created_at, recorded_at, updated_at)
    select 100 + k, 'agent' || k, (select password_hash from agent where id = 1),
      case when k <= 10 then 1 else 100 + ceil((k - 1) * ${spread('k', 0.3)} ^ 2)::int end, 1, ${now}, ${now}, ${now}
    from generate_series(1, ${AGENTS}::int) k`.execute(db);
  await sql`
    with recursive up as (
      select id as descendant, id as ancestor from agent
      union all
      select up.descendant, a.parent_id from up join agent a on a.id = up.ancestor where a.parent_id is not null
    )
    insert into closure (ancestor, descendant) select ancestor, descendant from up on conflict do nothing`.execute(db);
  await sql`update agent a set depth = (select count(*) - 1 from closure c where c.descendant = a.id)`.execute(db);
  await sql`
    insert into users (account, agent_id, created_at, recorded_at, updated_at)
    select 'bench' || k, 100 + ceil(${AGENTS} ^ ${spread('k', 0.7)})::int, ${now}, ${now}, ${now}
    from generate_series(1, ${USERS}::int) k`.execute(db);
  await loadWithdrawals(database, now);
  await compactCounters({ system: db });
  await vacuumAndAnalyze(database);
  return findViewers(database);
}

/** Loads withdrawals of the last year in five coins: 4 % wait for review, most are paid. */
async function loadWithdrawals({ db }: BenchDatabase, now: number): Promise<void> {
  await sql`
    insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, valuation, tx_hash, attempt, state,
      by_account, reviewed_at, created_at, recorded_at, updated_at, ${KEY_COLUMNS})
    select 'W' || n, u.id, u.agent_id, 1 + n % 5, 'TRC20', 'T' || (n % 30000), 10 + n % 9990 + 0.25, 1, 10 + n % 9990,
      case when r.state in (3, 4) then 'hash' || n else '' end, case when r.state in (0, 1, 5, 6) then 0 else 1 end, r.state,
      case when r.state = 0 then null else 'admin' end, case when r.state = 0 then null else r.at end, r.at, r.at, r.at,
      ${keyValues(sql`'T' || (n % 30000)`)}
    from (
      select n, ceil(${USERS} ^ ${spread('n', 0.1)})::int as user_id, ${now} - (${WITHDRAWALS} - n) * 300000::bigint as at,
        (array[4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,5,5,6,9,4,4,4,0,4])[1 + n % 25] as state
      from generate_series(1, ${WITHDRAWALS}::int) n
    ) r join users u on u.id = r.user_id order by r.n`.execute(db);
}

/** Finds the admin, the agent with the most rows, and an agent with at least 50. */
async function findViewers(database: BenchDatabase): Promise<Viewer[]> {
  const rows = await database.query(sql<Omit<Viewer, 'name'>>`
    select a.account, count(w.id) as rows, count(w.id) filter (where w.state = 0) as waiting
    from agent a join closure c on c.ancestor = a.id left join withdraw w on w.agent_id = c.descendant
    group by a.id order by count(w.id) desc, a.id`);
  const [admin, large] = rows;
  const small = rows.findLast((row) => row.rows >= 50 && row.waiting > 0);
  if (!admin || !large || !small) throw new Error('No agent has enough withdrawals to be measured.');
  return [
    { name: 'admin', ...admin },
    { name: 'large tree', ...large },
    { name: 'small tree', ...small },
  ];
}
