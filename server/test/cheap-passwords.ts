import type * as Argon2 from '@node-rs/argon2';
import { vi } from 'vitest';

/**
 * A hash that is made to be slow, twice for every operator of every file, is a good part of what the tests would cost. Here
 * it is the same function with the least work that it knows, and what is verified says itself how it was made. How much it
 * is in the product, `reset-cli.test.ts` looks at, whose process is one of its own.
 */
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof Argon2>();
  const least = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  return { ...real, hash: (password: string) => real.hash(password, least) };
});
