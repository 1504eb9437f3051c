// npm run rollups:check [-- --rebuild]: compares the rollups of DATABASE_URL, or of the database in DATA_DIR, with the rows
// they summarize.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('rollups-check', ...process.argv.slice(2));
