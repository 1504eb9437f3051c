// npm run restore -- <folder>: puts a backup into an empty DATA_DIR or DATABASE_URL and proves that it is whole.
import { join } from 'node:path';
import { ensureBuilt, fail, root, runNode } from './tools.mjs';

if (process.argv.length !== 3) fail('Usage: npm run restore -- <folder of a backup>. 请指定备份文件夹。');
await ensureBuilt();
const program = (name) => join(root, 'server/dist', name);
const args = [program('with-database.js'), program('backup.js'), 'restore', ...process.argv.slice(2)];
process.exitCode = await runNode(args, { cwd: process.cwd() });
