import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Finds the built console from the bundle and from the source, which are at different depths. */
export function consoleDirectory(): string | undefined {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, 'console', 'dist');
    if (existsSync(join(candidate, 'index.html'))) return candidate;
  }
  return undefined;
}
