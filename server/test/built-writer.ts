import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { isBuilt } from '../../testing/program.ts';
import type * as NodeArguments from '../src/core/node-arguments.ts';

const absolute = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Starts export writers from their bundle if the build is fresh, as in production: tsx would compile them for each file. */
vi.mock('../src/core/node-arguments.ts', async (original) => {
  const real = await original<typeof NodeArguments>();
  const [source, bundle] = [absolute('../src/exports/writer.ts'), absolute('../dist/export-writer.js')];
  const nodeArguments: typeof real.nodeArguments = (entry, rest) =>
    real.nodeArguments(isBuilt && entry === source ? bundle : entry, rest);
  return { ...real, nodeArguments };
});
