import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { isBuilt } from '../../testing/program.ts';
import type * as Child from '../src/supervisor/child.ts';

const absolute = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Starts export writers from their bundle if the build is fresh, as in production: tsx would compile them for each file. */
vi.mock('../src/supervisor/child.ts', async (original) => {
  const real = await original<typeof Child>();
  const [source, bundle] = [absolute('../src/exports/writer.ts'), absolute('../dist/export-writer.js')];
  const nodeArguments: typeof real.nodeArguments = (entry, rest) =>
    real.nodeArguments(isBuilt && entry === source ? bundle : entry, rest);
  return { ...real, nodeArguments };
});
