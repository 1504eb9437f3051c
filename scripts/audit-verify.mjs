// npm run audit:verify [-- --key <key>] [--heads <file>] [--export <file>]: verifies the audit chain of DATABASE_URL, or of
// the database in DATA_DIR, whether it is running or not.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('audit-verify', ...process.argv.slice(2));
