// npm run bench:data -- --rows 10000000: creates a database in DATA_DIR/bench, which `npm run bench list` then measures. A
// second run recreates it.
import { join, resolve } from 'node:path';
import { ensureInstalled, runNode } from './tools.mjs';

await ensureInstalled();
const at = process.argv.indexOf('--rows');
const rows = at < 0 ? '1000000' : (process.argv[at + 1] ?? '');
if (!/^[1-9]\d{3,8}$/.test(rows)) {
  console.error(`--rows ${rows} is not accepted: a whole number from 1000 to 999999999.`);
  process.exit(2);
}
const directory = join(resolve(process.env.DATA_DIR || 'data'), 'bench');
process.exitCode = await runNode(['--import', 'tsx', 'bench/lib/make-large.ts', directory, rows]);
