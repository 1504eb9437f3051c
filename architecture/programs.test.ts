import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { files, read, root } from './files.ts';

interface Manifest {
  version: string;
  bin?: Record<string, string>;
}

const manifests = files.filter((path) => /(^|\/)package\.json$/.test(path));
const commands = manifests.flatMap((path) => Object.values((JSON.parse(read(path)) as Manifest).bin ?? {}));
const executables = execFileSync('git', ['ls-files', '-s'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .flatMap((line) => (line.startsWith('100755 ') ? [line.slice(line.indexOf('\t') + 1)] : []));

// A shell runs a program without an interpreter by itself, and would take the words of its comments for commands.
test('every program names its interpreter in its first line, and every command can be executed', () => {
  expect(commands).toContain('scripts/hengtai.mjs');
  expect([...new Set([...commands, ...executables])].filter((path) => !/^#! ?\//.test(read(path)))).toEqual([]);
  expect(commands.filter((path) => !executables.includes(path))).toEqual([]);
});

test('hengtai runs through a link, as npx and a global installation start it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'link-'));
  symlinkSync(join(root, 'scripts/hengtai.mjs'), join(folder, 'hengtai'));
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const { stdout, status } = spawnSync('sh', ['-c', 'hengtai --version'], { env, cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  // It may have to build first.
  expect([stdout.trim().split('\n').at(-1), status]).toEqual([version, 0]);
});
