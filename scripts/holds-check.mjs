// npm run holds:check [-- --release-dust]: compares every frozen balance of DATABASE_URL, or of the database in DATA_DIR,
// with the open records that own it.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('holds-check', ...process.argv.slice(2));
