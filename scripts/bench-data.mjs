// npm run bench:data -- --rows 10000000 [--users 500000]: creates a database in DATA_DIR/bench, which `npm run bench list` then
// measures. A second run recreates it.
import { join, resolve } from 'node:path';
import { ensureInstalled, runNode } from './tools.mjs';

await ensureInstalled();

function numberOf(option, byDefault) {
  const at = process.argv.indexOf(option);
  const text = at < 0 ? byDefault : (process.argv[at + 1] ?? '');
  if (/^[1-9]\d{3,8}$/.test(text)) return text;
  console.error(`${option} ${text} is not accepted: a whole number from 1000 to 999999999.`);
  return process.exit(2);
}

const rows = numberOf('--rows', '1000000');
const users = numberOf('--users', '500000');
const directory = join(resolve(process.env.DATA_DIR || 'data'), 'bench');
process.exitCode = await runNode(['--import', 'tsx', 'bench/lib/make-large.ts', directory, rows, users]);
