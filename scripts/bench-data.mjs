// npm run bench:data -- --rows 10000000: fills a database of its own below DATA_DIR, which `npm run bench list` then measures.
// It stays there until its directory is deleted; a second run recreates it.
import { join, resolve } from 'node:path';
import { ensureInstalled, runNode } from './tools.mjs';

await ensureInstalled();
const at = process.argv.indexOf('--rows');
const rows = at < 0 ? '1000000' : (process.argv[at + 1] ?? '');
if (!/^[1-9]\d{3,8}$/.test(rows)) {
  console.error('--rows takes a number from 1000 to 999999999.');
  process.exit(2);
}
const directory = join(resolve(process.env.DATA_DIR || 'data'), 'bench');
process.exitCode = await runNode(['--import', 'tsx', 'bench/lib/make-large.ts', directory, rows]);
