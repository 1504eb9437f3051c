import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and the missing ones above it. `mkdir` of Node.js with `recursive` never returns where the system
 * refuses with ENOENT although the parent exists, as in /proc.
 *
 * @throws the error of the file system
 */
export function makeFolder(path: string, mode: number = 0o700): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}
