import * as fc from 'fast-check';

/** `scripts/test.mjs` chooses and prints a seed for each run. Without it fast-check draws one and prints it on failure. */
const seed = process.env['TEST_SEED'];
if (seed) fc.configureGlobal({ seed: Number(seed) });
