import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SimulatorMessage } from '@hengtai/contract/gateway/simulator';
import { type AuditKey, readOrMakeAuditKey, rootOf } from '../host/audit-key.ts';
import { findSecretKeys, secretKeysIn } from '../host/secret-key.ts';
import { readOrMakePlatformKeys } from '../host/platform-key.ts';
import { inTransaction, openPool } from '../database/connect.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import { startEmbedded } from '../embedded/embedded.ts';
import { ensureLogin, loginUrlOf, readOrMakeLogin } from '../database/login.ts';
import { openCluster } from '../host/postgres-files.ts';
import type { Env } from '../programs/env.ts';
import { checkKeys } from '../programs/key-check.ts';
import { setup } from '../programs/setup.ts';
import { keepChild, type Child } from './child.ts';
import { nodeArguments } from '../host/node-arguments.ts';
import { checkFiles } from './files.ts';
import { greetingOf, type Login } from './greeting.ts';
import { takeLock } from './lock.ts';
import { type Output, plainOutput, terminalOutput } from './output.ts';
import { addressOf, portsOf, waitForPort } from './ports.ts';
import { waitForDatabase } from '../programs/wait-for-database.ts';

export type StopHandler = () => void | Promise<void>;

const HEALTHY_TIMEOUT_MS = 60_000;

/**
 * Runs the whole installation until a stop signal: PostgreSQL (unless DATABASE_URL names one), the servers and the
 * simulator. They stop in reverse order of their start; then the process exits.
 */
export async function supervise(env: Env): Promise<void> {
  await untilStopped(async (stops) => start(env, stops));
}

/**
 * Runs `start`, waits for a stop signal, runs the functions that `start` has added to `stops` in reverse order, and
 * exits.
 */
export async function untilStopped(start: (stops: StopHandler[]) => Promise<void>): Promise<void> {
  // Files of DATA_DIR, also those of the children, are accessible to this account only.
  process.umask(0o077);
  const stops: StopHandler[] = [];
  const stopping = new Promise<'stopping'>((resolve) => {
    const stop = (): void => resolve('stopping');
    // The handlers stay installed, so that a second Ctrl-C does not interrupt the shutdown.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
    endWithNpm(stop);
  });
  const starting = start(stops);
  try {
    const ready = await Promise.race([starting, stopping]);
    if (ready !== 'stopping') await stopping;
  } finally {
    // An unfinished start fails when PostgreSQL stops; that failure is expected.
    starting.catch(() => undefined);
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  }
  process.exit(0);
}

async function start(env: Env, stops: StopHandler[]): Promise<void> {
  const output = process.stdout.isTTY ? openTerminal(env) : plainOutput();
  stops.push(() => output.end());
  const { login, address, shared, database, platform } = await prepare(env, stops, output);
  try {
    await startServers(env, stops, output, { ...shared, ...database });
  } catch (error) {
    // A generated password is not stored anywhere, so it is printed even if the start fails.
    output.print(greetingOf(undefined, login));
    throw error;
  }
  output.print(greetingOf(address, login, output.logFolder));
  // Started after the greeting, because the progress of the import is drawn below it.
  if (env.simulator) startSimulator(stops, output, { ...shared, ...platform });
}

/** The log files are in DATA_DIR, so the folder is checked before they are opened. */
function openTerminal(env: Env): Output {
  checkFiles(env);
  return terminalOutput(env.dataDir);
}

async function startServers(env: Env, stops: StopHandler[], output: Output, own: NodeJS.ProcessEnv): Promise<void> {
  const servers: Child[] = [];
  stops.push(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  const logFile = output.logFileOf('server');
  for (const [n, port] of portsOf(env).entries()) {
    const name = `server on port ${port}`;
    const args = nodeArguments(findEntryPoints().server);
    const server = keepChild(
      name,
      args,
      { ...own, PORT: String(port), ...metricsPortOf(env, n) },
      { logFile, report: output.report },
    );
    servers.push(server);
    try {
      await waitHealthy(addressOf(env, port), server);
    } catch (error) {
      for (const line of logFile?.tail() ?? []) output.print(line);
      throw error;
    }
  }
}

/** Each server has a port of its own for its metrics, because their counters are those of one process. */
const metricsPortOf = ({ metricsPort }: Env, n: number): NodeJS.ProcessEnv =>
  metricsPort === undefined ? {} : { METRICS_PORT: String(metricsPort + n) };

function startSimulator(stops: StopHandler[], output: Output, own: NodeJS.ProcessEnv): void {
  const simulator = keepChild('simulator', nodeArguments(findEntryPoints().simulator), own, {
    logFile: output.logFileOf('simulator'),
    report: output.report,
    onMessage: (message) => {
      const { progress } = message as Partial<SimulatorMessage>;
      if (progress !== undefined) output.showProgress(progress);
    },
  });
  stops.push(() => simulator.stop());
}

export interface PreparedInstallation {
  /** Database variables for the servers. The simulator does not get them. */
  database: NodeJS.ProcessEnv;
  /** Newest key of the gateway, for the simulator. The servers read the keys themselves, again and again. */
  platform: NodeJS.ProcessEnv;
  address: string;
  login: Login;
  /** Environment of all children. */
  shared: NodeJS.ProcessEnv;
}

/**
 * Prepares what the servers need: lock, free ports, keys, PostgreSQL with its schema and first data.
 *
 * @throws Error that says what prevents the start
 */
export async function prepare(env: Env, stops: StopHandler[], output: Output): Promise<PreparedInstallation> {
  checkFiles(env);
  const cluster = openCluster(env.dataDir, { embedded: env.databaseUrl === undefined });
  const lock = await takeLock(cluster);
  stops.push(lock.release);
  const pidFile = join(cluster.dataDir, 'server.pid');
  const hasCrashed = existsSync(pidFile);
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  stops.push(() => rmSync(pidFile, { force: true }));
  for (const [n, port] of portsOf(env).entries()) {
    await waitForPort(env.host, port, hasCrashed);
    if (env.metricsPort !== undefined)
      await waitForPort(env.metricsHost, env.metricsPort + n, hasCrashed, 'METRICS_PORT');
  }
  const platform = readOrMakePlatformKeys(env, cluster.dataDir);
  const auditKey = readOrMakeAuditKey(cluster.dataDir, env.auditDir);
  const databaseUrl = env.databaseUrl ?? (await startDatabase(cluster.dataDir, stops, output));
  const waiting = new AbortController();
  stops.push(() => waiting.abort());
  const wait = { report: output.report, signal: waiting.signal };
  if (env.databaseUrl !== undefined) await waitForDatabase('DATABASE_URL', env.databaseUrl, wait);
  const first = await setup({
    databaseUrl,
    adminAccount: env.adminAccount,
    adminPassword: env.adminPassword,
    simulator: env.simulator,
  });
  // Made now and not at its first use, so that a second machine can copy all three keys.
  if (first.created) secretKeysIn(cluster.dataDir, env).keys();
  await checkKeysAt(databaseUrl, env, auditKey);
  if (first.weakness !== undefined)
    output.report(`ADMIN_PASSWORD is easy to guess: change it in the console. 管理员密码过于简单：${first.weakness}。`);
  if (first.disabled !== undefined)
    output.report(
      `The demo operator ${first.disabled} was disabled, because the simulator is off. 已停用演示复核账号 ${first.disabled}。`,
    );
  // After the setup, which creates the app role. The replica is not waited for, because it is optional for the servers.
  if (env.databaseAppUrl !== undefined) await waitForDatabase('DATABASE_APP_URL', env.databaseAppUrl, wait);
  const database = await serverDatabase(env, databaseUrl, cluster.dataDir);
  const address = addressOf(env, env.port);
  return {
    database,
    address,
    login: {
      created: first.created,
      ...(first.password !== undefined && { password: first.password }),
      account: env.adminAccount,
      simulator: env.simulator,
      auditKey: rootOf(auditKey),
    },
    platform: { PLATFORM_KEY: platform.key, PLATFORM_SECRET: platform.secret },
    shared: childEnv(env, cluster.dataDir, address),
  };
}

/** The servers check their keys as well; this names a missing one before they start. */
async function checkKeysAt(url: string, env: Env, audit: AuditKey): Promise<void> {
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-setup', onError: () => undefined });
  try {
    await inTransaction(db, (tx) => checkKeys(tx, { otp: findSecretKeys(env.dataDir, env), audit }));
  } finally {
    await end();
  }
}

async function startDatabase(dataDir: string, stops: StopHandler[], output: Output): Promise<string> {
  const database = await startEmbedded({ dataDir, log: output.report });
  stops.push(() => database.stop());
  return database.url;
}

export function findEntryPoints(): { server: string; simulator: string } {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  return import.meta.url.endsWith('.ts')
    ? { server: at('../programs/main.ts'), simulator: at('../../../simulator/src/main.ts') }
    : { server: at('./main.js'), simulator: at('../../simulator/dist/main.js') };
}

/**
 * Environment of servers and simulator, without the admin's password and the database, which the simulator must not
 * know.
 */
function childEnv(env: Env, dataDir: string, address: string): NodeJS.ProcessEnv {
  const hidden = new Set(['ADMIN_PASSWORD', 'DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_READ_URL']);
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name)));
  return {
    ...rest,
    HOST: env.host,
    PORT: String(env.port),
    DATA_DIR: dataDir,
    AUDIT_DIR: env.auditDir,
    PLATFORM_URL: address,
    PLATFORM_IS_SIMULATOR: env.simulator ? 'on' : 'off',
  };
}

/**
 * Database variables of the servers. They log in as a role that owns nothing; the owner's URL stays in this process.
 */
async function serverDatabase(env: Env, ownerUrl: string, dataDir: string): Promise<NodeJS.ProcessEnv> {
  const { databaseAppUrl, databaseReadUrl } = env;
  if (databaseAppUrl !== undefined) {
    return {
      DATABASE_URL: databaseAppUrl,
      DATABASE_APP_URL: databaseAppUrl,
      ...(databaseReadUrl !== undefined && { DATABASE_READ_URL: databaseReadUrl }),
    };
  }
  const login = readOrMakeLogin(dataDir);
  return {
    DATABASE_URL: await ensureLogin(ownerUrl, login),
    // The replica has the same roles as its primary.
    ...(databaseReadUrl !== undefined && { DATABASE_READ_URL: loginUrlOf(databaseReadUrl, login) }),
  };
}

/** @throws ConfigurationError or Error if the server dies or does not become healthy in time */
export async function waitHealthy(address: string, server: Child): Promise<void> {
  for (const until = Date.now() + HEALTHY_TIMEOUT_MS; Date.now() < until; await sleep(100)) {
    if (server.deaths() > 0) {
      const message = 'The server failed to start: see its messages above. 服务器启动失败。';
      throw server.isMisconfigured() ? new ConfigurationError(message) : new Error(message);
    }
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
  }
  throw new Error(`The server did not become healthy within ${HEALTHY_TIMEOUT_MS / 1000} s. 服务器启动超时。`);
}

/** Under `npm start`, stops when npm (or its shell) ends, because npm does not always forward signals. */
function endWithNpm(stop: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 250).unref();
}
