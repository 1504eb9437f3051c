// npm run backup [-- folder]: copies DATABASE_URL, or the database in DATA_DIR, running or not, with its keys and signed heads.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBuilt, fail, root, runNode } from './tools.mjs';

const dataDir = resolve(process.env.DATA_DIR || 'data');
if (!process.env.DATABASE_URL && !existsSync(join(dataDir, 'postgres'))) {
  fail(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL. 未找到数据库。`);
}
await ensureBuilt();
const program = (name) => join(root, 'server/dist', name);
const args = [program('with-database.js'), program('backup.js'), 'backup', ...process.argv.slice(2)];
process.exitCode = await runNode(args, { cwd: process.cwd() });
