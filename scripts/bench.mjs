// npm run bench [name]: runs the benchmarks one after the other, each on a database of its own unless DATABASE_URL is set.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root, runNode } from './tools.mjs';

/** What a benchmark ends with that was interrupted. */
const STOPPED = 130;

await ensureInstalled();
const wanted = process.argv[2] ?? '';
const files = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.bench.ts') && name.startsWith(wanted));
for (const file of files.sort()) {
  console.log(`— ${file}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'hengtai-bench-'));
  const args = ['--import', 'tsx', 'server/src/supervisor/with-database.ts', join(root, 'bench', file)];
  const code = await runNode(args, { env: { ...process.env, DATA_DIR: dataDir } });
  rmSync(dataDir, { recursive: true, force: true });
  if (code !== 0) process.exitCode = 1;
}
