/**
 * Size of a test run: `npm test` is short, `npm run test:full` runs every test that guards a change, and
 * `npm run test:long` runs soaks and models at full size. Vitest without these scripts is full.
 */
export type Level = 'short' | 'full' | 'long';

const requestedLevel = process.env['TEST_LEVEL'];

export const level: Level = requestedLevel === 'short' || requestedLevel === 'long' ? requestedLevel : 'full';

/**
 * Returns the size of a test at the current level, or the full size if the level has none. A test file with a short
 * size has the tag `sized`, one with a long size the tag `soak`.
 */
export function sized<T>(sizes: { short?: T; full: T; long?: T }): T {
  return sizes[level] ?? sizes.full;
}
