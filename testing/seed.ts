import * as fc from 'fast-check';

/** `scripts/test.mjs` sets and prints TEST_SEED. Without it fast-check chooses a seed and prints it on failure. */
const seed = process.env['TEST_SEED'];
if (seed) fc.configureGlobal({ seed: Number(seed) });
