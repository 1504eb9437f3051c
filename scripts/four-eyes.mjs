// npm run four-eyes:unlock and npm run four-eyes:appoint -- <account>: let the administrator of the host override locked
// four-eyes.
import { runOnDatabase } from './tools.mjs';

await runOnDatabase('four-eyes', ...process.argv.slice(2));
