// npm run four-eyes:unlock, and npm run four-eyes:appoint -- <account>: the ways around locked four-eyes that only whoever
// holds the host has.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('four-eyes', ...process.argv.slice(2));
