// npm run four-eyes:unlock, and npm run four-eyes:appoint -- <account>: the ways around locked four-eyes, for the
// administrator of the host only.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('four-eyes', ...process.argv.slice(2));
