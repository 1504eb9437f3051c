// @module-tag full
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { findFreePort } from '../../testing/free-port.ts';
import { loadAnchors, verifyChain } from '../src/books/audit/verify.ts';
import { startJobs } from '../src/jobs/job.ts';
import { checkBook } from '../src/books/ledger/check.ts';
import { jobs } from '../src/modules.ts';
import { ConfigurationError } from '../src/host/configuration-error.ts';
import { migrate } from '../src/database/migrate.ts';
import { buildServer } from '../src/programs/app.ts';
import { takeLease } from '../src/programs/lease.ts';
import { makeReadiness } from '../src/watch/readiness.ts';
import { queryAt } from './database.ts';
import { setPolicy } from './inspect.ts';
import { makeNextRelease, type NextRelease, startMigrations, WAIT_AT_GATE } from './next-release.ts';
import { type OtherProcess, startOtherProcess } from './other-process.ts';
import { login, type TestServer, testServer } from './server.ts';
import { UpgradeLoad } from './upgrade-load.ts';

// This build is the last release: a process of it serves under load, while the migrations of a next one are applied.

const ROUNDS = 10;
const { appRole } = inject('cluster');

/** Sets up the data. It answers no request of the load. */
let server: TestServer;
let last: OtherProcess;
let next: NextRelease;
let load: UpgradeLoad;
let metricsPort: number;

beforeEach(async () => {
  server = await testServer({ jobs: false });
  metricsPort = await findFreePort();
  next = makeNextRelease();
  await setPolicy(server, 'withdraw.pass', 0);
  last = await startOtherProcess(server, { METRICS_PORT: String(metricsPort) });
  load = new UpgradeLoad({ targets: [last.url], platform: server.app.platform, token: await login(server) });
  await load.start();
  await load.waitForRounds(ROUNDS);
});
afterEach(async () => {
  await load.stop();
  await last.kill();
  next.remove();
  await server.stop();
});

const migrateNext = (): Promise<{ applied: string[] }> =>
  migrate(server.urls.owner, { appRole, directory: next.directory });

/** Starts a server of the next release in this process. */
async function startNext(): Promise<{ url: string; stop(): Promise<void> }> {
  const migrations = next.read();
  const lease = await takeLease(server.app, migrations);
  const readiness = makeReadiness(server.app, migrations);
  const http = await buildServer(server.app, { trustProxy: false, readiness });
  const url = await http.listen({ port: 0, host: '127.0.0.1' });
  const renewal = lease.renewal((error) => {
    throw error;
  });
  const stopJobs = startJobs(server.app, [...jobs, renewal]);
  return {
    url,
    stop: async () => {
      await http.close();
      await stopJobs();
      await lease.release();
    },
  };
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: server.urls.owner });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const readyOf = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;

/** The jobs of the last release that failed. */
async function fetchFailedJobs(): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const runs = text.split('\n').filter((line) => line.startsWith('hengtai_job_runs_total{'));
  expect(runs.length).toBeGreaterThan(jobs.length);
  return runs.filter((line) => line.includes('result="failed"'));
}

/** Everything that was acknowledged is in the books, once, and the jobs have done their work. */
async function expectNothingLost(): Promise<void> {
  expect(load.failures.join('\n')).toBe('');
  const recorded = await server.query(sql`
    select (select count(*) from withdraw where no = any(${load.requested})) as requested,
      (select count(*) from recharge where no = any(${load.credited}) and state = 1) as credited,
      (select count(*) from command c join withdraw w on w.id = c.ref_id
        where c.type = 'withdraw.payout' and w.no = any(${load.passed})) as payouts`);
  expect(recorded).toEqual([
    { requested: load.requested.length, credited: load.credited.length, payouts: load.passed.length },
  ]);
  const fetchWaiting = () =>
    server.query(sql`
      select (select count(*) from audit_pending) as unsealed, (select count(*) from notice where seq is null) as unnumbered,
        (select count(*) from command where seq is null and state = ${COMMAND.waiting}) as unpublished`);
  await expect.poll(fetchWaiting).toEqual([{ unsealed: 0, unnumbered: 0, unpublished: 0 }]);
  expect(await checkBook(server.owner)).toEqual([]);
  const anchors = await loadAnchors(server.auditDir, server.app.auditKey);
  expect(await verifyChain(server.owner, anchors)).toMatchObject({ ok: true });
}

test('the last release serves while the next one migrates and starts beside it, until the schema contracts', async () => {
  next.add(
    '9001-expand.sql',
    `alter table withdraw add column next_note text not null default '';
     create table next_thing (id bigint primary key);`,
  );
  next.add('9002-users.sql', 'alter table users add column next_flag integer;\n');
  next.add(
    '9003-index.sql',
    '-- no-transaction\ncreate index concurrently if not exists withdraw_next on withdraw (next_note);\n',
  );
  // A long transaction makes the migration give up the lock again and again, while others read and write the table.
  const reader = await connect();
  await reader.query('begin; select from withdraw limit 1');
  let attempts = 0;
  const migrating = migrate(server.urls.owner, {
    appRole,
    directory: next.directory,
    report: (line) => void (attempts += line.includes('trying again') ? 1 : 0),
  });
  await vi.waitUntil(() => attempts >= 3, { timeout: 60_000 });
  await load.waitForRounds(ROUNDS);
  await reader.query('commit');
  await reader.end();
  expect(await migrating).toEqual({ applied: ['9001-expand', '9002-users', '9003-index'] });
  await load.waitForRounds(ROUNDS);
  expect(await readyOf(last.url)).toBe(200);

  const following = await startNext();
  try {
    expect(await readyOf(following.url)).toBe(200);
    await load.retarget([last.url, following.url]);
    await load.waitForRounds(ROUNDS);
    next.add('9004-contract.sql', '-- serves-from: 9003\nalter table withdraw drop column next_note;\n');
    await expect(migrateNext()).rejects.toThrow(ConfigurationError);
    await load.waitForRounds(ROUNDS);

    await load.retarget([following.url]);
    expect(await fetchFailedJobs()).toEqual([]);
    expect(await last.stop()).toBe(0);
    expect(await migrateNext()).toEqual({ applied: ['9004-contract'] });
    await load.waitForRounds(ROUNDS);
    await load.stop();
    await expectNothingLost();
    const { values } = await server.app.state.metrics.jobRuns.get();
    expect(values.filter(({ labels }) => labels.result === 'failed')).toEqual([]);
  } finally {
    await load.stop();
    await following.stop();
  }
});

test('a migration that is killed anywhere leaves a schema that serves the last release, and goes on later', async () => {
  next.add('9001-gate.sql', 'create table gate (open boolean);\n');
  next.add(
    '9002-columns.sql',
    `create table next_thing (id bigint primary key);${WAIT_AT_GATE}alter table recharge add column next_flag integer;\n`,
  );
  next.add(
    '9003-index.sql',
    '-- no-transaction\ncreate index concurrently if not exists withdraw_next on withdraw (no, state);\n',
  );
  const reached = async (like: string): Promise<boolean> =>
    (
      await queryAt(
        server.urls.owner,
        `select 1 from pg_stat_activity where state = 'active' and query like '${like}'
      and pid <> pg_backend_pid() and datname = current_database()`,
      )
    ).length === 1;
  const fetchNewest = () =>
    server.query(sql`select name, (select count(*) from pg_attribute where attname = 'next_flag') as columns
      from schema_migration order by version desc limit 1`);

  // Inside a file: its changes are undone as soon as PostgreSQL notices that the client is gone.
  const first = startMigrations(server.urls.owner, next);
  await vi.waitUntil(() => reached('%not exists (select from gate)%'), { timeout: 60_000 });
  first.child.kill('SIGKILL');
  await first.exited;
  await load.waitForRounds(ROUNDS);
  await queryAt(server.urls.owner, 'insert into gate (open) values (true)');
  await expect.poll(() => reached('%not exists (select from gate)%')).toBe(false);
  expect(await fetchNewest()).toEqual([{ name: '9001-gate', columns: 0 }]);
  expect(await readyOf(last.url)).toBe(200);

  // Outside a transaction: an index that is not complete is built again. An open write transaction delays its build.
  const writer = await connect();
  await writer.query(`begin; update withdraw set updated_at = updated_at where id = (select min(id) from withdraw)`);
  const second = startMigrations(server.urls.owner, next);
  await vi.waitUntil(() => reached('%create index concurrently%'), { timeout: 60_000 });
  second.child.kill('SIGKILL');
  await second.exited;
  await load.waitForRounds(ROUNDS);
  expect(await fetchNewest()).toEqual([{ name: '9002-columns', columns: 1 }]);
  await writer.query('commit');
  await writer.end();
  expect(await readyOf(last.url)).toBe(200);

  expect(await migrateNext()).toEqual({ applied: ['9003-index'] });
  expect(await server.query(sql`select indisvalid from pg_index where indexrelid = 'withdraw_next'::regclass`)).toEqual(
    [{ indisvalid: true }],
  );
  await load.waitForRounds(ROUNDS);
  expect(await fetchFailedJobs()).toEqual([]);
  await load.stop();
  await expectNothingLost();
});
