import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { hasCode, type Binaries, type Cluster } from '../host/postgres-files.ts';

/** Address of the running server: a directory of Unix sockets, or the loopback address on Windows. */
export interface Address {
  host: string;
  port: number;
}

export interface StartOptions {
  cluster: Cluster;
  binaries: Binaries;
  password: string;
  /** For tests: no fsync, and the data is removed at the end. */
  isThrowaway: boolean;
}

const isWindows = process.platform === 'win32';
export const USER = 'hengtai';
export const DATABASE = 'hengtai';
const LOG_LIMIT = 20 * 1024 * 1024;

/**
 * The value of PostgreSQL's `-D`. The child process changes to the data directory before it drops privileges, and
 * `/proc/self/cwd` leads there. So the unprivileged user needs no access to the parent directories.
 */
function dataArgument(cluster: Cluster, path: string): string {
  return cluster.runAs && process.platform === 'linux' ? '/proc/self/cwd' : path;
}

function run(o: StartOptions, program: string, cwd: string, args: string[]): ChildProcess {
  const log = openSync(o.cluster.log, 'a', 0o600);
  try {
    return spawn(join(o.binaries.dir, program), args, {
      cwd,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], TZ: 'UTC' },
      windowsHide: true,
      ...o.cluster.runAs,
    });
  } finally {
    closeSync(log);
  }
}

/**
 * Creates the cluster if there is none. It is built under another name and renamed, so a kill leaves no partial cluster.
 *
 * @throws Error if initdb fails, or if the existing cluster belongs to another major version
 */
export async function createCluster(o: StartOptions): Promise<void> {
  const { cluster, binaries } = o;
  removeAbandoned(cluster);
  if (existsSync(cluster.pgData)) return checkVersion(cluster, binaries);
  const temporary = join(cluster.dataDir, `postgres.new-${process.pid}`);
  const passwordFile = join(cluster.socketDir, `password-${process.pid}`);
  mkdirSync(temporary, { mode: 0o700 });
  writeFileSync(passwordFile, o.password, { mode: 0o600 });
  try {
    if (cluster.runAs) {
      for (const path of [temporary, passwordFile]) chownSync(path, cluster.runAs.uid, cluster.runAs.gid);
    }
    // The builtin collation provider needs no locale of the system and sorts the same everywhere.
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const settings = ['shared_buffers=256MB', 'max_connections=100', 'jit=off', 'timezone=UTC', 'log_timezone=UTC']
      // SSDs have cheap random reads; more work_mem keeps the bitmaps of large index scans exact.
      .concat('random_page_cost=1.1', 'work_mem=16MB')
      // Rows and statements may carry personal data: neither belongs in a log.
      .concat('log_error_verbosity=terse', 'log_min_error_statement=panic')
      .flatMap((setting) => ['--set', setting]);
    const args = [
      '-D',
      dataArgument(cluster, temporary),
      '-U',
      USER,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
    ];
    const child = run(o, 'initdb', temporary, [...args, ...locale, ...settings, ...(o.isThrowaway ? ['-N'] : [])]);
    const code = await waitForExit(child);
    if (code !== 0) throw new Error(`PostgreSQL could not be initialised:\n${logTail(cluster)}`);
    renameSync(temporary, cluster.pgData);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // If a concurrent process created the cluster, that one is used.
    if (!existsSync(cluster.pgData)) throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Changes the owner of data of an earlier release to the account that PostgreSQL runs as now. */
export async function chownData(o: StartOptions): Promise<void> {
  const { runAs, pgData } = o.cluster;
  if (!runAs || statSync(pgData).uid === runAs.uid) return;
  const running = findPostmaster(o.cluster);
  if (running !== undefined) await stopPostmaster(o, running);
  // -h does not follow symlinks: the former account may have created one that leads out of the data.
  execFileSync('chown', ['-Rh', `${runAs.uid}:${runAs.gid}`, pgData]);
}

function removeAbandoned(cluster: Cluster): void {
  for (const name of readdirSync(cluster.dataDir)) {
    const pid = /^postgres\.new-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(cluster.dataDir, name), { recursive: true, force: true });
  }
}

function checkVersion(cluster: Cluster, binaries: Binaries): void {
  const version = readFileSync(join(cluster.pgData, 'PG_VERSION'), 'utf8').trim();
  if (version === binaries.major) return;
  throw new Error(
    `${cluster.pgData} was created by PostgreSQL ${version}, but this release contains PostgreSQL ${binaries.major}. ` +
      `Back it up with the release that created it (npm run backup), move the directory away, and restore the backup with ` +
      `this release (npm run restore); or serve it with a PostgreSQL ${version} of your own through DATABASE_URL.`,
  );
}

/** The process id of the running postmaster of this cluster, or undefined. */
export function findPostmaster(cluster: Cluster): number | undefined {
  const pid = Number(readPidFile(cluster)[0]);
  return pid > 0 && isAlive(pid) && isWorkingIn(pid, cluster) ? pid : undefined;
}

function readPidFile(cluster: Cluster): string[] {
  try {
    return readFileSync(join(cluster.pgData, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Identifies PostgreSQL by its working directory, because its process id may have been reused by another program. */
function isWorkingIn(pid: number, cluster: Cluster): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster.pgData;
  } catch {
    return false;
  }
}

function hasProcesses(cluster: Cluster): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isWorkingIn(Number(name), cluster));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/**
 * Removes the pid file and sockets of a crashed server, if no process works in the cluster. PostgreSQL does not start while
 * the process id in these files belongs to any running program.
 */
function removeStale(cluster: Cluster): void {
  if (process.platform !== 'linux' || hasProcesses(cluster)) return;
  rmSync(join(cluster.pgData, 'postmaster.pid'), { force: true });
  for (const name of readdirSync(cluster.socketDir)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(cluster.socketDir, name), { force: true });
  }
}

export async function startPostmaster(o: StartOptions): Promise<ChildProcess> {
  const { cluster } = o;
  trimLog(cluster);
  removeStale(cluster);
  const where = isWindows
    ? ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-p', String(await freePort())]
    : ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${cluster.socketDir}`, '-p', '5432'];
  const speed = o.isThrowaway ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : ['fsync=on'];
  const settings = speed.flatMap((setting) => ['-c', setting]);
  return run(o, 'postgres', cluster.pgData, ['-D', dataArgument(cluster, cluster.pgData), ...where, ...settings]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Waits until the server accepts connections.
 *
 * @throws Error with the end of the log once `isRunning` returns false
 */
export async function waitReady(o: StartOptions, isRunning: () => boolean): Promise<Address> {
  for (;;) {
    if (!isRunning()) throw new Error(`PostgreSQL did not start:\n${logTail(o.cluster)}`);
    const port = Number(readPidFile(o.cluster)[3] ?? 0);
    if (port > 0) {
      const address = { host: isWindows ? '127.0.0.1' : o.cluster.socketDir, port };
      if (await isAnswering(address, o)) return address;
    }
    await sleep(25);
  }
}

async function isAnswering(address: Address, o: StartOptions): Promise<boolean> {
  const client = new Client({ ...address, user: USER, password: o.password, database: 'postgres' });
  // Without a listener, the end of the connection by the server would end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    return true;
  } catch (error) {
    if (hasCode(error, '28P01')) {
      throw new Error(
        `${join(o.cluster.dataDir, 'postgres-password')} is not the password of this database. Restore it from a backup.`,
        {
          cause: error,
        },
      );
    }
    return hasCode(error, '42P04');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Stops the server in mode "fast"; after 30 seconds in mode "immediate", after which the next start recovers from WAL. */
export async function stopPostmaster(o: StartOptions, pid: number): Promise<void> {
  const sendSignal = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    if (!isWindows) return void process.kill(pid, signal);
    const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
    await waitForExit(run(o, 'pg_ctl', o.cluster.pgData, ['stop', '-D', o.cluster.pgData, '-m', mode, '-W']));
  };
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      await sendSignal(signal);
    } catch (error) {
      if (hasCode(error, 'ESRCH')) return;
      throw error;
    }
    for (let waited = 0; waited < 30_000; waited += 25) {
      if (findPostmaster(o.cluster) !== pid && !isAlive(pid)) return;
      await sleep(25);
    }
  }
}

export function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

export function trimLog(cluster: Cluster): void {
  if (existsSync(cluster.log) && statSync(cluster.log).size > LOG_LIMIT) truncateSync(cluster.log);
}

export function logTail(cluster: Cluster): string {
  return existsSync(cluster.log) ? readFileSync(cluster.log, 'utf8').split('\n').slice(-15).join('\n') : '';
}
