// npm run dev: runs the installation from its sources. A change restarts the server or the simulator; the console reloads by
// itself; PostgreSQL keeps running.
import { ensureInstalled, runNode } from './tools.mjs';

await ensureInstalled();
process.exitCode = await runNode(['--import', 'tsx', 'server/src/supervisor/dev.ts']);
