/**
 * 5,000 binary contracts of 5,000 users that end in the same second: time from the closing tick until the settlement job has
 * settled and paid them and written their commands, in one process.
 * Limit: set-based SQL in one transaction that writes the same results, ledger rows and commands, as the owner, without
 * counters and without Node. No server runs meanwhile.
 */
import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { type Db, inTransaction } from '../server/src/database/connect.ts';
import { STRIPES } from '../server/src/books/ledger/account.ts';
import { freezeLegs } from '../server/src/books/ledger/hold.ts';
import { postMany } from '../server/src/books/ledger/post.ts';
import { settleBinaryContracts } from '../server/src/domains/trading/binary-contract/binary-contract.jobs.ts';
import { holdOwner } from '../server/src/domains/trading/binary-contract/binary-contract.rules.ts';
import { startRecorder } from './lib/capture.ts';
import { type BenchDatabase, vacuumAndAnalyze, checkpoint } from './lib/database.ts';
import { FIRST_UNUSED_OFFSET, verifyLedger, allocateIds, loadDecisionData } from './lib/decision-data.ts';
import { median } from './lib/load.ts';
import { ROUNDS, bench, runInterleaved, ensure, logProgress, scaleCount } from './lib/run.ts';

const COUNT = scaleCount(5_000, 500);
const MARKET = 2;
const STAKE = '100';
const SECONDS = 60;
/** Start time of the round. Rounds do not overlap in time, so that their ticks end no contract of another round. */
let roundStart = Date.now() - 3_600_000;

await bench('second', async (database) => {
  const count = FIRST_UNUSED_OFFSET + 2 * ROUNDS * COUNT;
  await loadDecisionData(database, count, false);
  for (const table of ['account', 'entry'])
    await sql`update ${sql.table(table)} set platform = ${PLATFORM.second} where user_id is not null`.execute(
      database.db,
    );
  for (let stripe = 0; stripe < STRIPES; stripe += 1)
    await sql`insert into account (owner, owner_id, market_id, platform, bucket, created_at)
      values ('trading', ${stripe}, 1, 0, 'active', 1)`.execute(database.db);
  const ids = allocateIds(count);
  const recorder = await startRecorder(database);
  const [ours, limit]: [number[], number[]] = [[], []];
  const measureRound = async (name: string, work: (contracts: readonly number[]) => Promise<void>): Promise<number> => {
    const contracts = await openAll(database, recorder.app.system, ids.take(COUNT));
    await checkpoint(database);
    const since = performance.now();
    await work(contracts);
    const ms = performance.now() - since;
    await verifySettled(database, contracts);
    logProgress(`${name}: ${Math.round(ms)} ms`);
    return ms;
  };
  try {
    await runInterleaved([
      async () => {
        ours.push(
          await measureRound('the job', async () => {
            while (await settleBinaryContracts(recorder.app));
          }),
        );
      },
      async () => {
        limit.push(
          await measureRound('raw SQL', (contracts) => inTransaction(database.db, (db) => settleRaw(db, contracts))),
        );
      },
    ]);
  } finally {
    await recorder.end();
  }
  await verifyLedger(database);
  const [mine, raw] = [median(ours), median(limit)];
  return [
    {
      name: `${COUNT} contracts that end in one second`,
      unit: 'contracts/s',
      ours: (COUNT / mine) * 1_000,
      limit: (COUNT / raw) * 1_000,
      against: 'set-based SQL, one transaction',
      goal: '5,000 in less than 5 s',
      detail: `all of them: ${Math.round(mine)} ms, raw ${Math.round(raw)} ms`,
    },
  ];
});

/** Opens COUNT contracts, half of them on a rising price, and records their opening and closing ticks. */
async function openAll(database: BenchDatabase, system: Db, first: number): Promise<number[]> {
  roundStart += 200_000;
  const rows = await database.query(sql<{ id: number; userId: number; agentId: number }>`
    insert into second_contract (no, user_id, agent_id, market_id, side, seconds, amount, payout_rate, tier, payout, config_id,
      config_version, tolerance, settle_at, created_at, recorded_at, updated_at)
    select 'S' || u.id, u.id, u.agent_id, ${MARKET}, 1 + u.id % 2, ${SECONDS}::int, ${STAKE}::numeric, 80, 0, 80, 1, 1, 30000,
      ${roundStart + SECONDS * 1_000}::bigint, ${roundStart}::bigint, ${roundStart}::bigint, ${roundStart}::bigint
    from users u where u.id between ${first} and ${first + COUNT - 1}
    returning id, user_id as "userId", agent_id as "agentId"`);
  await database.query(sql`
    insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
    select 'second', c.id, c.user_id, c.agent_id, 1, ${PLATFORM.second}, c.amount, ${roundStart}::bigint from second_contract c
    where c.id = any(${rows.map(({ id }) => id)}::bigint[])`);
  const frozen = rows.map(({ id, userId, agentId }) => {
    const owner = holdOwner({ userId, agentId, usdtId: 1, amount: STAKE, payout: '80' });
    return { head: { refType: 'second', refId: id, at: roundStart }, legs: freezeLegs(owner, STAKE, ENTRY.secondOpen) };
  });
  await inTransaction(system, (db) => postMany(db, { now: roundStart, transfers: frozen }));
  await vacuumAndAnalyze(database);
  const ends = roundStart + SECONDS * 1_000;
  await sql`select record_ticks(array[${MARKET}, ${MARKET}]::bigint[], array[100, 101]::numeric[], array[null, null]::numeric[],
    array[${roundStart}, ${ends}]::bigint[], ${ends})`.execute(database.db);
  return rows.map(({ id }) => id);
}

/** The limit: writes the same rows with as few statements as possible. */
async function settleRaw(db: Db, contracts: readonly number[]): Promise<void> {
  const now = Date.now();
  const ids = sql`${[...contracts]}::bigint[]`;
  await sql`select count(*) from settle_seconds(${ids}, ${now})`.execute(db);
  await sql`update hold set released = amount where ref_type = 'second' and ref_id = any(${ids})`.execute(db);
  await sql`
    with ended as (
      select c.id, c.type, c.amount, c.payout, f.id as frozen, a.id as active, h.id as house
      from second_contract c
      join account f on f.user_id = c.user_id and f.market_id = 1 and f.platform = 4 and f.bucket = 'frozen'
      join account a on a.user_id = c.user_id and a.market_id = 1 and a.platform = 4 and a.bucket = 'active'
      join account h on h.owner = 'trading' and h.owner_id = c.user_id % ${STRIPES} and h.market_id = 1
      where c.id = any(${ids})
    ),
    leg_in as (
      select nextval('leg_id') as leg_id, x.* from (
        select id, frozen as debit, case type when 2 then house else active end as credit, amount from ended
        union all
        select id, house, active, payout from ended where type = 1) x
    ),
    posted as (
      insert into transfer (ref_type, ref_id, created_at, recorded_at)
      select 'second', id, ${now}::bigint, ${now}::bigint from ended returning id, ref_id
    ),
    line as (
      select leg_id, id, -1 as side, debit as account_id, -amount as amount from leg_in
      union all select leg_id, id, 1, credit, amount from leg_in
    ),
    written as (
      insert into entry (transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
        balance, ref_type, ref_id, created_at, recorded_at)
      select p.id, l.leg_id, l.side, a.id, a.market_id, a.user_id, a.agent_id, a.platform, a.bucket, ${ENTRY.secondSettle}, l.amount,
        a.balance + sum(l.amount) over (partition by a.id order by l.leg_id, l.side), 'second', l.id, ${now}::bigint, ${now}::bigint
      from line l join posted p on p.ref_id = l.id join account a on a.id = l.account_id
    ),
    joined as (
      insert into leg (id, transfer_id, market_id, amount)
      select l.leg_id, p.id, 1, l.amount from leg_in l join posted p on p.ref_id = l.id
    ),
    commands as (
      insert into command (type, ref_type, ref_id, data, created_at, recorded_at)
      select t.type, 'second', e.id, jsonb_build_object('no', e.id, 'result', e.type), ${now}::bigint, ${now}::bigint
      from ended e cross join (values ('second.settled'), ('balance.changed')) t(type)
    )
    update account a set balance = a.balance + d.amount
    from (select account_id, sum(amount) as amount from line group by 1) d where a.id = d.account_id`.execute(db);
}

async function verifySettled(database: BenchDatabase, contracts: readonly number[]): Promise<void> {
  const [row] = await database.query(sql<{ n: number; paid: string }>`
    select count(*)::int as n, sum(a.balance) as paid from second_contract c
    join account a on a.user_id = c.user_id and a.bucket = 'active'
    where c.id = any(${[...contracts]}::bigint[]) and c.state = 1 and c.close_price = 101`);
  ensure(row?.n === COUNT, `${row?.n} of ${COUNT} contracts are settled`);
  ensure(Number(row?.paid) === COUNT * 1_000 + (COUNT / 2) * 80 - (COUNT / 2) * 100, `they hold ${row?.paid} in total`);
}
