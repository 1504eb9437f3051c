// npm run counters:check [-- --rebuild]: compares the counters of DATABASE_URL, or of the database in DATA_DIR, with the rows
// they summarize.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('counters-check', ...process.argv.slice(2));
