// npm run seconds:check: recomputes every ended binary contract from the recorded ticks of DATABASE_URL, or of the database in
// DATA_DIR.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('seconds-check', ...process.argv.slice(2));
