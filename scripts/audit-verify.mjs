// npm run audit:verify: proves the audit chain of DATABASE_URL, or of the database in DATA_DIR, running or not.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBuilt, fail, root, runNode } from './tools.mjs';

const dataDir = resolve(process.env.DATA_DIR || 'data');
if (!process.env.DATABASE_URL && !existsSync(join(dataDir, 'postgres'))) {
  fail(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL. 未找到数据库。`);
}
await ensureBuilt();
const program = (name) => join(root, 'server/dist', name);
process.exitCode = await runNode([program('with-database.js'), program('audit-verify.js')], { cwd: process.cwd() });
