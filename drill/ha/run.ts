import { chmodSync, copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { checkSession } from '../../server/src/database/login.ts';
import { compareBooks } from '../lib/books.ts';
import { Acknowledged, Load } from '../lib/load.ts';
import { runProgram, waitUntil } from '../lib/process.ts';
import { type Server, startServer, verify } from '../lib/server.ts';
import { Machines, PASSWORD } from './machines.ts';

const KILLS = Number(process.env['DRILL_KILLS'] ?? 20);
const FIRST_PORT = Number(process.env['DRILL_PORT'] ?? 28_300);
const LIMIT_MS = 15_000;
/** Seconds of load before each kill. */
const LOAD_SECONDS = 3;
const SESSIONS = 4;
const root = fileURLToPath(new URL('../..', import.meta.url));

const stops: (() => Promise<unknown>)[] = [];

interface LoadedServer extends Server {
  load: Load;
}

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function start(
  machines: Machines,
  name: string,
  port: number,
  database: NodeJS.ProcessEnv,
  acknowledged: Acknowledged,
): Promise<LoadedServer> {
  const server = await startServer(join(machines.directory, name), port, database);
  stops.push(() => server.running.end('SIGTERM'));
  return { ...server, load: new Load(name, port, acknowledged) };
}

/** One server logs in through HAProxy, the other through PgBouncer. */
async function startServers(machines: Machines, acknowledged: Acknowledged): Promise<[LoadedServer, LoadedServer]> {
  const { directory } = machines;
  const primary = `127.0.0.1:${machines.portOf(5000)}`;
  const superuser = `postgres://postgres:${PASSWORD}@${primary}`;
  runProgram('sh', [join(root, 'deploy/postgres/create-database.sh')], {
    env: { OWNER_PASSWORD: PASSWORD, PGHOST: '127.0.0.1', PGPORT: String(machines.portOf(5000)), PGPASSWORD: PASSWORD },
  });
  const owner = `postgres://hengtai:${PASSWORD}@${primary}/hengtai`;
  const replica = `postgres://hengtai:${PASSWORD}@127.0.0.1:${machines.portOf(5001)}/hengtai`;
  const ports = [FIRST_PORT + 50, FIRST_PORT + 51] as const;
  const first = await start(
    machines,
    'server1',
    ports[0],
    { DATABASE_URL: owner, DATABASE_READ_URL: replica },
    acknowledged,
  );
  await query(
    `${superuser}/hengtai`,
    `create role hengtai_pool login password '${PASSWORD}'`,
    'grant hengtai_app to hengtai_pool',
    // One operator passes withdrawals alone.
    `update config set state = 0 where key like 'policy.%'`,
  );
  mkdirSync(join(directory, 'server2'), { mode: 0o700 });
  copyFileSync(join(directory, 'server1', 'audit-key.json'), join(directory, 'server2', 'audit-key.json'));
  const pooled = `postgres://hengtai_pool:${PASSWORD}@127.0.0.1:${machines.portOf(6432)}/hengtai`;
  const second = await start(
    machines,
    'server2',
    ports[1],
    { DATABASE_URL: owner, DATABASE_APP_URL: pooled },
    acknowledged,
  );
  return [first, second];
}

/** @returns milliseconds until each server acknowledged a write again */
async function killPrimary(machines: Machines, servers: readonly LoadedServer[], n: number): Promise<number[]> {
  const primary = await machines.findPrimary();
  const withPatroni = n % 2 === 0;
  for (const { load } of servers) load.forgetWrites();
  const killedAt = Date.now();
  await machines.kill(primary, withPatroni);
  const recovered = (): (number | undefined)[] => servers.map(({ load }) => load.recoveredAfter(killedAt));
  await waitUntil(async () => !recovered().includes(undefined), 'every server acknowledges writes again', 120);
  const times = recovered().map((ms) => ms ?? Infinity);
  machines.startPatroni(primary);
  const what = withPatroni ? 'PostgreSQL and Patroni' : 'PostgreSQL';
  const seconds = times.map((ms) => (ms / 1_000).toFixed(1));
  console.log(
    `${String(n).padStart(2)}  ${what.padEnd(22)} of pg${primary}: writes again after ${seconds.join(' and ')} s`,
  );
  return times;
}

async function main(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'hengtai-ha-'));
  chmodSync(directory, 0o755);
  const machines = new Machines(directory, FIRST_PORT);
  stops.push(() => machines.end());
  await machines.startPostgres();
  await machines.startProxies({ hengtai_pool: PASSWORD });
  const acknowledged = new Acknowledged();
  const servers = await startServers(machines, acknowledged);
  const problems: string[] = [];
  const shared = `postgres://hengtai_pool:${PASSWORD}@127.0.0.1:${machines.portOf(6432)}/shared`;
  if (
    await checkSession(shared).then(
      () => true,
      () => false,
    )
  )
    problems.push('a pooler in transaction mode is not refused');
  const tokens: string[] = [];
  for (const { load } of servers) {
    for (let n = 0; n < SESSIONS; n += 1) tokens.push(await load.logIn());
    load.token = tokens.at(-1) ?? '';
  }
  await servers[0].load.prepare();
  for (const { load } of servers) load.start();
  const times: number[] = [];
  let lostSessions = 0;
  for (let n = 1; n <= KILLS; n += 1) {
    await sleep(LOAD_SECONDS * 1_000);
    times.push(...(await killPrimary(machines, servers, n)));
    for (const { load } of servers) for (const token of tokens) if (!(await load.accepts(token))) lostSessions += 1;
    await waitUntil(() => machines.isHealthy(), 'the cluster has two standbys again', 120);
  }
  await Promise.all(servers.map(({ load }) => load.stop()));
  problems.push(...(await compareBooks(servers[0].env['DATABASE_URL'] ?? '', acknowledged)));
  if (!verify(servers[0])) problems.push('hengtai verify found a difference');
  const slowest = Math.max(...times);
  if (slowest > LIMIT_MS) problems.push(`the slowest recovery took ${slowest} ms, the limit is ${LIMIT_MS}`);
  if (acknowledged.failures > 0) problems.push(`${acknowledged.failures} calls were answered by 500`);
  if (lostSessions > 0) problems.push(`${lostSessions} checks of sessions failed`);
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(
    `${KILLS} kills: ${acknowledged.recharges.size} recharges and ${acknowledged.passed.size} withdrawals acknowledged, ` +
      `${acknowledged.repeated} calls repeated; recovery median ${median / 1_000} s, slowest ${slowest / 1_000} s; ` +
      `${tokens.length} sessions, ${lostSessions} lost.`,
  );
  for (const problem of problems) console.error(`FAILED  ${problem}`);
  return problems.length === 0;
}

async function stop(): Promise<void> {
  for (let one = stops.pop(); one; one = stops.pop()) await one();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stop().finally(() => process.exit(1)));
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  await stop();
}
process.exit();
