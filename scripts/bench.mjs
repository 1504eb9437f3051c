// npm run bench [name]: runs the benchmarks one after the other and prints one table of their figures. Each has its own
// database: a temporary PostgreSQL, or a new database on the server of DATABASE_URL.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root, run, runNode } from './tools.mjs';

/** Exit code of an interrupted benchmark. */
const INTERRUPTED = 130;

await ensureInstalled();
await ensurePgbench();
const wanted = process.argv[2] ?? '';
const files = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.bench.ts') && name.startsWith(wanted));
if (files.includes('lighthouse.bench.ts')) await ensureLighthouse();
// Some benchmarks measure the built product, which must not be stale.
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
    if (code === INTERRUPTED) break;
  }
  await runNode(['--import', 'tsx', 'bench/lib/print.ts', results]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Installs pgbench, which measures limits, from Debian's package if possible. Without it those figures have no limit. */
async function ensurePgbench() {
  const works = (program) => spawnSync(program, ['--version']).status === 0;
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  if (works('pgbench') || versions.some((version) => works(join(debian, version, 'bin/pgbench')))) return;
  if (process.getuid?.() !== 0 || !works('apt-get')) {
    console.warn('pgbench is not installed: figures compared with it have no limit.');
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-q', '--no-install-recommends', 'postgresql-15'];
  if ((await run('apt-get', install, { env })) !== 0)
    console.warn('pgbench could not be installed: figures compared with it have no limit.');
}

/** Lighthouse is large and used only here, so it is not a dependency of the project. */
async function ensureLighthouse() {
  if (existsSync(join(root, 'bench/node_modules/lighthouse'))) return;
  if ((await run('npm', ['ci', '--prefix', join(root, 'bench'), '--ignore-scripts'])) !== 0)
    console.warn('Lighthouse could not be installed: its scores are omitted.');
}
