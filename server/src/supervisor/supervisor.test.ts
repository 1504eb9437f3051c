// @module-tag full
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { ADMIN } from '../../test/admin.ts';
import { copyInstallation } from '../../test/installation.ts';
import { hasTerminal, visibleText } from '../../test/terminal.ts';
import { openCluster } from '../host/postgres-files.ts';
import { nodeArguments, pathOfProgram } from '../../../testing/program.ts';
import { findFreePort } from '../../../testing/free-port.ts';

const supervisor = nodeArguments('server/src/cli/hengtai.ts', 'start');
const serverEntry = pathOfProgram('server/src/programs/main.ts');

// Each test starts whole installations, which is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

interface Run {
  process: ChildProcess;
  output: () => string;
  exited: Promise<number | null>;
  port: number;
  dataDir: string;
}

const runs: Run[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.process.kill('SIGTERM');
    await run.exited;
  }
  for (const { pid } of directories.flatMap(processesOf)) process.kill(pid, 'SIGKILL');
  for (const directory of directories.splice(0)) {
    for (const path of [openCluster(directory).base, directory]) rmSync(path, { recursive: true, force: true });
  }
});

function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'supervisor-'));
  directories.push(directory);
  return directory;
}

/** A directory of which the first start is over. */
async function newInstallation(): Promise<string> {
  const dataDir = newDataDir();
  await copyInstallation(dataDir);
  return dataDir;
}

async function start(
  dataDir: string,
  port: number,
  env: NodeJS.ProcessEnv = {},
  command = process.execPath,
  args = supervisor,
): Promise<Run> {
  const { DATABASE_URL: _database, npm_lifecycle_event: _npm, ...inherited } = process.env;
  const child = spawn(command, args, {
    env: {
      ...inherited,
      DATA_DIR: dataDir,
      PORT: String(port),
      SIMULATOR: 'off',
      SIMULATOR_USERS: '40',
      SIMULATOR_DAYS: '3',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const run = { process: child, output: () => text, exited, port, dataDir };
  runs.push(run);
  return run;
}

/** Starts a supervisor and waits for its greeting. */
async function startReady(dataDir: string, port: number, env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const run = await start(dataDir, port, env);
  await until(() => run.output().includes('HengTai is running') || run.process.exitCode !== null);
  expect(run.output()).toContain(`http://127.0.0.1:${port}`);
  return run;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const limit = Date.now() + 100_000;
  while (!(await condition())) {
    if (Date.now() > limit)
      throw new Error(`The condition was not met within 100 s. ${runs.map((run) => run.output()).join('\n')}`);
    await sleep(50);
  }
}

async function isHealthy(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(
    () => null,
  );
  await answer?.body?.cancel();
  return answer?.status === 200;
}

/** Every process with this data directory in its command line or environment. */
function processesOf(dataDir: string): { pid: number; parent: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      if (!command.includes(dataDir) && !environment.includes(`DATA_DIR=${dataDir}\0`)) return [];
      return [{ pid: Number(name), parent: Number(/PPid:\s+(\d+)/.exec(status)?.[1]), command }];
    } catch {
      return [];
    }
  });
}

function serverPid(run: Run): number {
  const server = processesOf(run.dataDir).find(
    ({ parent, command }) => parent === run.process.pid && command.includes(serverEntry),
  );
  return server?.pid ?? 0;
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function isAlive(pid: number): boolean {
  // A killed process is a zombie until its parent has read its exit status.
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

test('only the first start prints the login; SIGTERM stops all processes', async () => {
  const dataDir = newDataDir();
  const port = await findFreePort();
  const first = await startReady(dataDir, port, { SIMULATOR: 'on', ADMIN_PASSWORD: 'Correct-horse-7' });
  expect(await isHealthy(port)).toBe(true);
  expect(first.output()).toContain('Account  账号  admin');
  expect(first.output()).toContain('the ADMIN_PASSWORD you set');
  expect(first.output()).toContain('fuhe');
  expect(first.output()).not.toContain('Correct-horse-7');
  expect(readFileSync(join(dataDir, 'server.pid'), 'utf8').trim()).toBe(String(first.process.pid));
  const modes = ['.', ...readdirSync(dataDir)].map((name) => [name, statSync(join(dataDir, name)).mode & 0o077]);
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
  const postgres = postmasterPid(dataDir);
  const all = processesOf(dataDir);
  // The supervisor, the server, the simulator and the guard of PostgreSQL.
  expect(all.length).toBeGreaterThanOrEqual(4);
  const keys = () =>
    ['platform', 'audit', 'otp'].map((name) => readFileSync(join(dataDir, `${name}-key.json`), 'utf8'));
  // A second machine copies all three after the first start.
  const made = keys();

  first.process.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  expect([...all.map(({ pid }) => pid), postgres].filter(isAlive)).toEqual([]);
  expect(existsSync(join(dataDir, 'server.pid'))).toBe(false);

  const second = await startReady(dataDir, port);
  expect(second.output()).not.toContain('Password');
  expect(second.output()).toContain('The demo operator fuhe was disabled');
  expect(keys()).toEqual(made);
  second.process.kill('SIGINT');
  expect(await second.exited).toBe(0);
});

test.skipIf(!hasTerminal)(
  'on a terminal the greeting stays the last output, and logs go to files (needs script of util-linux)',
  async () => {
    const dataDir = await newInstallation();
    const command = [process.execPath, ...supervisor].join(' ');
    const env = { SIMULATOR: 'on', SIMULATOR_SPEED: '0.01', PROCESS: '2' };
    const run = await start(dataDir, await findFreePort(), env, 'script', [
      '-qefc',
      `stty cols 120; exec ${command}`,
      '/dev/null',
    ]);
    const logs = join(dataDir, 'logs');
    await until(() => /正在导入演示数据 \[[#-]{20}\] \d+ %/.test(run.output()));
    process.kill(Number(readFileSync(join(dataDir, 'server.pid'), 'utf8')), 'SIGTERM');
    expect(await run.exited).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    expect(run.output()).toContain('PROCESS is not a variable of HengTai; did you mean PROCESSES?');
    const greeting = visibleText(run.output()).split('HengTai is running')[1] ?? '';
    expect(greeting).toContain(`Logs     日志  ${logs}`);
    expect(greeting.trim().split('\n').at(-1)).toBe('  Stop with Ctrl-C · 按 Ctrl-C 停止');
    for (const name of ['server.log', 'simulator.log']) {
      const lines = readFileSync(join(logs, name), 'utf8').trim().split('\n');
      for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
      expect(statSync(join(logs, name)).mode & 0o777).toBe(0o600);
    }
  },
);

test.each([
  ['SIMULATOR_DAYS', '2', 'SIMULATOR_DAYS=2 is not accepted: a whole number from 3 to 365.'],
  ['TRUST_PROXY', '10.0.0.300', 'TRUST_PROXY=10.0.0.300 is not accepted'],
])('%s=%s is refused before any file is created', async (name, value, message) => {
  const dataDir = newDataDir();
  const run = await start(dataDir, await findFreePort(), { [name]: value });
  expect(await run.exited).toBe(78);
  expect(run.output()).toContain(message);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('restarts a killed server, PostgreSQL and guard, ends when it is killed itself, and starts again', async () => {
  const dataDir = await newInstallation();
  const run = await startReady(dataDir, await findFreePort());
  const server = serverPid(run);
  expect(server).toBeGreaterThan(0);
  process.kill(server, 'SIGKILL');
  await until(async () => serverPid(run) !== server && (await isHealthy(run.port)));

  const postgres = postmasterPid(dataDir);
  process.kill(postgres, 'SIGKILL');
  await until(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid')) && postmasterPid(dataDir) !== postgres);
  await until(() => isHealthy(run.port));

  const guard = processesOf(dataDir).find(({ command }) => command.includes('postgres-guard'))?.pid ?? 0;
  process.kill(guard, 'SIGKILL');
  await until(() =>
    processesOf(dataDir).some(({ pid, command }) => command.includes('postgres-guard') && pid !== guard),
  );
  expect(await isHealthy(run.port)).toBe(true);

  // The next start finds processes that are still ending.
  for (const { pid } of processesOf(dataDir)) process.kill(pid, 'SIGKILL');
  const second = await startReady(dataDir, run.port, { SIMULATOR: 'on' });
  expect(await isHealthy(run.port)).toBe(true);

  // The supervisor, the server, the simulator and the guard of PostgreSQL.
  await until(() => processesOf(dataDir).length >= 4);
  const all = [...processesOf(dataDir).map(({ pid }) => pid), postmasterPid(dataDir)];
  second.process.kill('SIGKILL');
  await until(() => all.filter(isAlive).length === 0);
  await startReady(dataDir, run.port);
  expect(await isHealthy(run.port)).toBe(true);
});

test('several servers are one installation and stop together; another start needs other data and ports', async () => {
  const dataDir = await newInstallation();
  const port = await findPorts(5);
  const [metrics, otherPort] = [port + 2, port + 4];
  const run = await startReady(dataDir, port, { PROCESSES: '2', METRICS_PORT: String(metrics) });
  const at = (which: number) => `http://127.0.0.1:${port + which}/api/v1/admin/`;
  const login = await fetch(`${at(0)}login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { token } = (await login.json()) as { token: string };
  const me = await fetch(`${at(1)}me`, { headers: { token } });
  expect(await me.json()).toMatchObject({ code: 200, data: { admin: ADMIN.account } });
  const scrape = async (which: number) => (await fetch(`http://127.0.0.1:${metrics + which}/metrics`)).text();
  expect(await scrape(0)).toContain('call="session.login",code="200"} 1');
  expect(await scrape(1)).not.toContain('call="session.login"');

  const refused = await start(dataDir, otherPort);
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain(`already running on ${dataDir} (process ${run.process.pid})`);
  const samePort = await start(newDataDir(), port);
  expect(await samePort.exited).toBe(1);
  expect(samePort.output()).toContain(`Port ${port} is in use`);
  await startReady(await newInstallation(), otherPort);
  for (const running of [port, port + 1, otherPort]) expect(await isHealthy(running)).toBe(true);

  run.process.kill('SIGTERM');
  expect(await run.exited).toBe(0);
  for (const which of [0, 1]) expect(await isHealthy(port + which)).toBe(false);
  expect(processesOf(dataDir)).toEqual([]);
});

/** The first of several consecutive ports that nobody listens on. */
async function findPorts(count: number): Promise<number> {
  for (;;) {
    const first = await findFreePort();
    const probes = Array.from({ length: count }, (_, n) => createServer().listen(first + n, '127.0.0.1'));
    const results = await Promise.allSettled(probes.map((probe) => once(probe, 'listening')));
    for (const probe of probes) probe.close();
    if (results.every(({ status }) => status === 'fulfilled')) return first;
  }
}
