// npm run backup [-- folder]: copies DATABASE_URL, or the database in DATA_DIR, with its keys and signed heads. The database
// may be running.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('backup', 'backup', ...process.argv.slice(2));
