import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('creates what is missing, closed to other accounts, and accepts what exists', () => {
  const path = join(folder, 'a', 'b', 'c');
  for (let round = 0; round < 2; round += 1) makeFolder(path);
  for (const one of [path, join(folder, 'a')]) expect(statSync(one).mode & 0o777).toBe(0o700);
});

test('refuses a path that leads through a file, and one that is a file', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
  expect(() => makeFolder(file)).toThrow('EEXIST');
});

test.runIf(existsSync('/proc/self'))('ends where the system refuses every new folder', () => {
  expect(() => makeFolder('/proc/hengtai-none/data')).toThrow('ENOENT');
});
