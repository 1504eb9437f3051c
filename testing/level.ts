/**
 * How much a run tests. `npm test` is short, `npm run test:full` is everything that guards a change, and
 * `npm run test:long` runs soaks and models at full size. Vitest run by hand is full.
 */
export type Level = 'short' | 'full' | 'long';

const given = process.env['TEST_LEVEL'];

export const level: Level = given === 'short' || given === 'long' ? given : 'full';

/**
 * The size of a test at the current level; the full one where the level has none. A test with a short size carries the
 * tag `sized`, one with a long size the tag `soak`.
 */
export function sized<T>(sizes: { short?: T; full: T; long?: T }): T {
  return sizes[level] ?? sizes.full;
}
