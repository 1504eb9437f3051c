// npm run drill: causes what each alert watches for, and checks that a real Prometheus raises it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, fail, run, runNode } from './tools.mjs';

await ensureInstalled();
const program = process.env.PROMETHEUS ?? 'prometheus';
const works = () => spawnSync(program, ['--version']).status === 0;
if (!works() && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0)
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'prometheus'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
if (!works()) fail(`The drill needs ${program}: install the Debian package prometheus, or set PROMETHEUS to its path.`);
process.exitCode = await runNode(['--import', 'tsx', join('drill', 'run.ts'), program]);
