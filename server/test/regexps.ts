import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll } from 'vitest';

/**
 * Compiles regular expressions as V8 does in a process that has compiled many: those that repeat over megabytes reach the limit
 * of their stack sooner. Call it before the hook that starts the server.
 */
export function compileRegexpsUnoptimized(): void {
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
  afterAll(() => setFlagsFromString('--regexp-optimization'));
}
