/**
 * How much a run tests: `npm test` is short, `npm run test:full` is full, `npm run test:long` runs soaks and models at full
 * size. Vitest started by hand is full.
 */
export type Level = 'short' | 'full' | 'long';

const requested = process.env['TEST_LEVEL'];

export const level: Level = requested === 'short' || requested === 'long' ? requested : 'full';

/**
 * Selects the size of a test at the current level; the full size if the level has none. A test with a short size needs the tag
 * `sized`, one with a long size the tag `soak`.
 */
export function sized<T>(sizes: { short?: T; full: T; long?: T }): T {
  return sizes[level] ?? sizes.full;
}
