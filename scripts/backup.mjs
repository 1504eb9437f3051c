// npm run backup [-- folder]: copies DATABASE_URL, or the database in DATA_DIR, running or not, with its keys and signed heads.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('backup', 'backup', ...process.argv.slice(2));
