import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listSubjects, problemOf } from '../scripts/commit-subjects.mjs';
import { root } from './files.ts';

describe('a commit subject', () => {
  test.each([
    'ledger: reject a transfer whose legs do not balance',
    'server, simulator: reword errors',
    'four-eyes: embed 2 forms',
    'fixup! ledger: reject a transfer',
    "Merge branch 'docs'",
  ])('"%s" is accepted', (subject) => {
    expect(problemOf(subject)).toBeUndefined();
  });

  test.each([
    ['reject a transfer', 'area'],
    ['Ledger: reject a transfer', 'lower case'],
    ['ledger: Reject a transfer', 'lower case'],
    ['ledger:', 'area'],
    ['ledger: reject a transfer.', 'full stop'],
    ['ledger: rejected a transfer', 'imperative'],
    ['ledger: rejecting a transfer', 'imperative'],
    [`ledger: reject ${'a'.repeat(60)}`, '75 characters'],
  ])('"%s" is refused', (subject, problem) => {
    expect(problemOf(subject)).toContain(problem);
  });
});

describe('a git repository', () => {
  let directory: string;
  let work: string;
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const commit = (subject: string, ...args: string[]) =>
    git(work, 'commit', '-q', '--allow-empty', '-m', subject, ...args);
  const install = (cwd: string, env: Record<string, string> = {}) =>
    execFileSync(process.execPath, ['scripts/install-hooks.mjs'], { cwd, env: { PATH: process.env['PATH'], ...env } });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hengtai-commits-'));
    work = join(directory, 'work');
    mkdirSync(work);
    git(work, 'init', '-q', '-b', 'main');
    commit('What came before the rule');
    cpSync(join(root, 'scripts'), join(work, 'scripts'), { recursive: true });
    git(work, 'add', '.');
    commit('scripts: check subjects');
    commit('ledger: one');
    commit('ledger: two');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('lists subjects since the check was added, without branches from before it', () => {
    expect(listSubjects(work)).toEqual(['ledger: two', 'ledger: one', 'scripts: check subjects']);
    git(work, 'checkout', '-q', '-b', 'old', 'HEAD~3');
    commit('Older habits');
    git(work, 'checkout', '-q', 'main');
    git(work, 'merge', '-q', '--no-edit', 'old');
    expect(listSubjects(work)).toEqual(['ledger: two', 'ledger: one', 'scripts: check subjects']);
  });

  test('lists the available subjects in a shallow clone, and none in an archive', () => {
    git(directory, 'clone', '-q', '--depth', '2', `file://${work}`, 'shallow');
    expect(listSubjects(join(directory, 'shallow'))).toEqual(['ledger: two', 'ledger: one']);
    cpSync(join(work, 'scripts'), join(directory, 'archive', 'scripts'), { recursive: true });
    expect(listSubjects(join(directory, 'archive'))).toEqual([]);
    cpSync(join(work, 'scripts'), join(work, 'unpacked', 'scripts'), { recursive: true });
    expect(listSubjects(join(work, 'unpacked'))).toEqual([]);
  });

  test('rejects an invalid subject once the hook is installed', () => {
    commit('Anything goes');
    install(work);
    expect(() => commit('Anything goes')).toThrow(/The commit subject "Anything goes" is not `area: imperative`/);
    commit('ledger: three');
  });

  test('keeps other hooks, and installs none in CI and in an archive', () => {
    const configOf = (cwd: string) => readFileSync(join(cwd, '.git', 'config'), 'utf8');
    install(work, { CI: 'true' });
    expect(configOf(work)).not.toContain('hooksPath');
    git(work, 'config', 'core.hooksPath', 'own');
    install(work);
    expect(configOf(work)).toContain('hooksPath = own');
    const archive = join(directory, 'archive');
    cpSync(join(work, 'scripts'), join(archive, 'scripts'), { recursive: true });
    install(archive);
    expect(existsSync(join(archive, '.git'))).toBe(false);
  });

  test('`npm run prepare` succeeds without the scripts folder, as in an image build that copies only the manifest', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: { prepare: string };
    };
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts: { prepare: scripts.prepare } }));
    expect(() => execFileSync('npm', ['run', 'prepare'], { cwd: directory, stdio: 'pipe' })).not.toThrow();
  });
});
