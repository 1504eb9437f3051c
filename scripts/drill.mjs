// npm run drill [-- <name>]: causes a failure on an installation of its own, and checks what docs/operations promises for it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bin, ensureBuilt, ensureInstalled, fail, run, runNode } from './tools.mjs';

const works = (program, ...args) => spawnSync(program, args).status === 0;
const isRoot = process.getuid?.() === 0;

/** Installs Debian packages unless a program runs. */
async function ensureProgram(program, args, packages) {
  if (works(program, ...args)) return;
  if (isRoot && works('apt-get', '--version')) {
    // RUNLEVEL=1: the services of the packages are not started.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env });
  }
  if (!works(program, ...args)) fail(`The drill needs ${program}: install the Debian packages ${packages.join(', ')}.`);
}

const runTypeScript = (file, ...args) => runNode(['--import', 'tsx', join('drill', file), ...args]);

async function requireBuildAndPostgres() {
  if (!isRoot) fail('The drill needs root, because it runs PostgreSQL as the account postgres.');
  await ensureBuilt();
  await ensureProgram('sh', ['-c', 'ls /usr/lib/postgresql/*/bin/pg_verifybackup'], ['postgresql']);
  await ensureProgram('age', ['--version'], ['age']);
}

/** The folder of a Debian with PostgreSQL 17, if this machine has an older one; its programs run by chroot. */
async function findNewPostgres() {
  if (works('sh', '-c', 'ls /usr/lib/postgresql/*/bin/pg_combinebackup')) return '';
  const folder = process.env.DRILL_DEBIAN ?? join(homedir(), '.cache', 'hengtai-drill', 'trixie');
  if (existsSync(join(folder, 'usr/lib/postgresql/17/bin/pg_combinebackup'))) return folder;
  await ensureProgram('debootstrap', ['--version'], ['debootstrap']);
  mkdirSync(folder, { recursive: true });
  const code = await run('debootstrap', ['--variant=minbase', '--include=postgresql-17,age', 'trixie', folder]);
  if (code !== 0) fail(`debootstrap could not make ${folder}.`);
  return folder;
}

const drills = {
  alerts: async () => {
    const program = process.env.PROMETHEUS ?? 'prometheus';
    await ensureProgram(program, ['--version'], ['prometheus']);
    return runTypeScript('alerts.ts', program);
  },
  /** Runs the last release under load while this checkout migrates and starts beside it. */
  upgrade: () => runTypeScript('upgrade.ts'),
  /** Plays weeks of ordinary customers and of attacks against the starter rules. */
  fraud: () => runNode([bin('vitest'), 'run', 'drill/fraud'], { env: { ...process.env, TEST_LEVEL: 'long' } }),
  ha: async () => {
    await requireBuildAndPostgres();
    await ensureProgram('patroni', ['--version'], ['patroni', 'python3-etcd']);
    await ensureProgram('etcd', ['--version'], ['etcd-server']);
    await ensureProgram('haproxy', ['-v'], ['haproxy']);
    await ensureProgram('pgbouncer', ['--version'], ['pgbouncer']);
    return runTypeScript('ha/run.ts');
  },
  pitr: async () => {
    await requireBuildAndPostgres();
    return runTypeScript('recovery/run.ts');
  },
  incremental: async () => {
    await requireBuildAndPostgres();
    return runTypeScript('recovery/run.ts', await findNewPostgres());
  },
};

const name = process.argv[2] ?? 'alerts';
if (!Object.hasOwn(drills, name)) fail(`There is no drill ${name}. Drills: ${Object.keys(drills).join(', ')}.`, 2);
await ensureInstalled();
process.exitCode = await drills[name]();
