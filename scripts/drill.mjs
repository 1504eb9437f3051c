// npm run drill [-- alerts | upgrade]: tries on real programs what the tests cannot.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, fail, run, runNode } from './tools.mjs';

const runDrill = (file, ...args) => runNode(['--import', 'tsx', join('drill', file), ...args]);

/** Causes what each alert watches for, and checks that a real Prometheus raises it. */
async function alerts() {
  const program = process.env.PROMETHEUS ?? 'prometheus';
  const works = () => spawnSync(program, ['--version']).status === 0;
  if (!works() && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0)
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'prometheus'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  if (!works())
    fail(`The drill needs ${program}: install the Debian package prometheus, or set PROMETHEUS to its path.`);
  return runDrill('run.ts', program);
}

/** Runs the last release under load while this checkout migrates and starts beside it. */
const upgrade = () => runDrill('upgrade.ts');

const drills = { alerts, upgrade };
const [name = 'alerts'] = process.argv.slice(2);
if (!Object.hasOwn(drills, name))
  fail(`There is no drill ${name}. The drills are ${Object.keys(drills).join(', ')}.`, 2);
await ensureInstalled();
process.exitCode = await drills[name]();
