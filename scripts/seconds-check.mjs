// npm run seconds:check: replays the tick record of DATABASE_URL, or of the database in DATA_DIR, over every contract that has ended.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('seconds-check', ...process.argv.slice(2));
