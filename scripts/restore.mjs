// npm run restore -- <folder>: restores a backup into an empty DATA_DIR or DATABASE_URL and verifies it.
import { fail, runWithDatabase } from './tools.mjs';

if (process.argv.length !== 3) fail('Usage: npm run restore -- <folder of a backup>. 请指定备份文件夹。');
await runWithDatabase('backup', 'restore', ...process.argv.slice(2));
