import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeOnce } from './made-once.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hengtai-once-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('of many at once one is kept, whole, private, and nothing is left beside it', async () => {
  const path = join(directory, 'below', 'key.json');
  const contents = Array.from({ length: 40 }, (_, n) => `${String(n).padStart(2, '0')}${'x'.repeat(5_000)}`);
  const seen = await Promise.all(
    contents.map(async (content) => {
      await makeOnce(path, content);
      return readFile(path, 'utf8');
    }),
  );
  expect(new Set(seen).size).toBe(1);
  expect(contents).toContain(seen[0]);
  expect(await readdir(join(directory, 'below'))).toEqual(['key.json']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
