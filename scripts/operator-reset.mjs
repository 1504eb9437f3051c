// npm run operator:reset -- <account>: sets a new password and removes the one-time codes of an operator that nobody above
// can reset.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('operator-reset', ...process.argv.slice(2));
