import * as fc from 'fast-check';

/** The seed of random tests from `scripts/test.mjs`, which prints it. Without it fast-check chooses one and prints it on failure. */
const seed = process.env['TEST_SEED'];
if (seed) fc.configureGlobal({ seed: Number(seed) });
