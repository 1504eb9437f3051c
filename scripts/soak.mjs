// Trades for ten minutes while server and exchange are killed twenty times, and says whether everything still holds.
import { ensureInstalled, runNode } from './tools.mjs';

await ensureInstalled();
process.exit(await runNode(['--import', 'tsx', 'server/test/spot-soak-cli.ts']));
