// npm run bench [name]: runs the benchmarks one after the other and prints one table of their figures at the end. Each has a
// database of its own: a PostgreSQL for itself, or a new database on the one that DATABASE_URL names.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root, run, runNode } from './tools.mjs';

/** What a benchmark ends with that was interrupted. */
const STOPPED = 130;

await ensureInstalled();
await ensurePgbench();
const wanted = process.argv[2] ?? '';
const files = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.bench.ts') && name.startsWith(wanted));
if (files.includes('lighthouse.bench.ts')) await ensureLighthouse();
// What is measured from outside is what an operator runs, and never an older one.
if ((await runNode(['scripts/build.mjs'])) !== 0) process.exit(1);
const directory = mkdtempSync(join(tmpdir(), 'hengtai-figures-'));
const results = join(directory, 'figures.jsonl');
try {
  for (const file of files.sort()) {
    console.log(`— ${file}`);
    const env = { ...process.env, BENCH_RESULTS: results };
    const code = await runNode(['--import', 'tsx', join('bench', file)], { env });
    if (code === 0) continue;
    process.exitCode = 1;
    console.error(`FAILED  ${file}`);
    if (code === STOPPED) break;
  }
  await runNode(['--import', 'tsx', 'bench/lib/print.ts', results]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** The yardstick. Debian's package is installed where that is possible; without it what it limits stays without a limit. */
async function ensurePgbench() {
  const works = (program) => spawnSync(program, ['--version']).status === 0;
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  if (works('pgbench') || versions.some((version) => works(join(debian, version, 'bin/pgbench')))) return;
  if (process.getuid?.() !== 0 || !works('apt-get')) {
    console.warn('pgbench is not installed: figures that are compared with it have no limit.');
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-q', '--no-install-recommends', 'postgresql-15'];
  if ((await run('apt-get', install, { env })) !== 0) console.warn('pgbench could not be installed.');
}

/** Large, and asked for by nothing else. */
async function ensureLighthouse() {
  if (existsSync(join(root, 'bench/node_modules/lighthouse'))) return;
  if ((await run('npm', ['ci', '--prefix', join(root, 'bench'), '--ignore-scripts'])) !== 0)
    console.warn('Lighthouse could not be installed: its scores are omitted.');
}
