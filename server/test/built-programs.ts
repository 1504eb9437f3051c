import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { isBuilt } from '../../testing/program.ts';
import type * as NodeArguments from '../src/host/node-arguments.ts';

const absolute = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const BUNDLES: ReadonlyMap<string, string> = new Map([
  [absolute('../src/books/exports/writer.ts'), absolute('../dist/export-writer.js')],
  [absolute('../src/embedded/postgres-guard.ts'), absolute('../dist/postgres-guard.js')],
]);

/** Starts these programs from their bundle if the build is fresh, as in production: tsx would compile them for each file. */
vi.mock('../src/host/node-arguments.ts', async (original) => {
  const real = await original<typeof NodeArguments>();
  const nodeArguments: typeof real.nodeArguments = (entry, rest) =>
    real.nodeArguments((isBuilt && BUNDLES.get(entry)) || entry, rest);
  return { ...real, nodeArguments };
});
