// npm run conformance -- --platform <address>: plays a nasty back office and a nasty network against a platform.
import { bin, ensureInstalled, runNode } from './tools.mjs';

await ensureInstalled();
process.exitCode = await runNode([bin('tsx'), 'conformance/src/main.ts', ...process.argv.slice(2)]);
