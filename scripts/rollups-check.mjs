// npm run rollups:check [-- --rebuild]: compares the rollups of DATABASE_URL, or of the database in DATA_DIR, with its rows.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('rollups-check', ...process.argv.slice(2));
