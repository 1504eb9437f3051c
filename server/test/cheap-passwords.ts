import type * as Argon2 from '@node-rs/argon2';
import { vi } from 'vitest';

/**
 * Hashes passwords with minimal cost, because every test file creates operators and the real cost would dominate the
 * run. A hash stores its own parameters, so verification works unchanged. `operator-reset.test.ts` runs a separate process
 * and checks the real cost.
 */
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof Argon2>();
  const { CHEAPEST } = await import('./admin.ts');
  return { ...real, hash: (password: string) => real.hash(password, CHEAPEST) };
});
