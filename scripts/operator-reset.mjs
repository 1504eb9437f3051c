// npm run operator:reset -- <account>: a new password, and no one-time codes, for who has nobody above.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('operator-reset', ...process.argv.slice(2));
