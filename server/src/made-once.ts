import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a private file, its directory included, unless it is there. Of several processes that do so at the same moment
 * one has its content there, whole from the first instant: nobody ever reads a part of it.
 */
export async function makeOnce(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path).catch(async (error: unknown) => {
      // Where a file has one name only, the first to create it still wins.
      if (!isThere(error)) await writeFile(path, content, { mode: 0o600, flag: 'wx' });
    });
  } catch (error) {
    if (!isThere(error)) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';
