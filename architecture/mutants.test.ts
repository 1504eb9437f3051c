// @module-tag full
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { survivors, tests } from '../mutants/areas.mjs';
import { judge, listMutants, sample, type Verdict } from '../scripts/mutants.mjs';
import { root } from './files.ts';

const mutants = listMutants(join(root, 'mutants'));

describe('the kept mutants', () => {
  test('apply to the code', () => {
    const applies = (path: string): boolean => spawnSync('git', ['apply', '--check', path], { cwd: root }).status === 0;
    expect(mutants.filter(({ path }) => !applies(path)).map(({ area, name }) => `${area}/${name}`)).toEqual([]);
  });

  test('say their fault in a sentence', () => {
    expect(mutants.filter(({ fault }) => !/^[A-Z0-9].*\.$/.test(fault)).map(({ name }) => name)).toEqual([]);
  });

  test('are judged by tests that exist, and those that survive are kept', () => {
    expect([...new Set(mutants.map(({ area }) => area))].toSorted()).toEqual(Object.keys(tests).toSorted());
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    const testFiles = files.filter((path) => /\.test\.tsx?$/.test(path));
    const patterns = Object.values(tests).flat(2);
    expect(patterns.filter((pattern) => !testFiles.some((path) => path.includes(pattern)))).toEqual([]);
    const names = mutants.map(({ area, name }) => `${area}/${name}`);
    expect(Object.keys(survivors).filter((name) => !names.includes(name))).toEqual([]);
  });
});

test('a sample is the same for the same seed', () => {
  const items = Array.from({ length: 100 }, (_, n) => n);
  expect(sample(items, 10, 7)).toEqual(sample(items, 10, 7));
  expect(new Set(sample(items, 100, 8)).size).toBe(100);
  expect(sample(items, 10, 7)).not.toEqual(sample(items, 10, 8));
});

describe('judging', () => {
  let directory: string;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: join(directory, 'work'),
      encoding: 'utf8',
    });
  const inWork = (path: string): string => join(directory, 'work', path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const addMutant = (name: string, text: string): void => {
    write(inWork('fee.mjs'), text);
    write(join(directory, 'mutants/money', `${name}.patch`), `It is ${name}.\n\n${git('diff')}`);
    git('checkout', '-q', '--', '.');
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hengtai-mutants-'));
    write(inWork('fee.mjs'), 'export const fee = (amount) => (amount >= 10 ? 1 : 0);\n');
    write(inWork('test.mjs'), `import { fee } from './fee.mjs';\nprocess.exitCode = fee(10) === 1 ? 0 : 1;\n`);
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'fee: take one');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('tells which faults the tests notice', async () => {
    addMutant('noticed', 'export const fee = (amount) => (amount > 10 ? 1 : 0);\n');
    addMutant('unnoticed', 'export const fee = (amount) => (amount >= 10 ? 1 : 2);\n');
    write(join(directory, 'mutants/money/stale.patch'), 'It is stale.\n\ndiff --git a/gone b/gone\n');
    const waiting = listMutants(join(directory, 'mutants'));
    const verdicts: Verdict[] = [];
    const runTests = async () => {
      const { status } = spawnSync(process.execPath, [inWork('test.mjs')]);
      return { passed: status === 0, killer: status === 0 ? '' : 'test.mjs' };
    };
    await judge(
      inWork('.'),
      () => waiting.shift(),
      runTests,
      (verdict) => verdicts.push(verdict),
    );
    expect(verdicts.map(({ name, outcome, fault, killer }) => [name, outcome, fault, killer])).toEqual([
      ['noticed', 'killed', 'It is noticed.', 'test.mjs'],
      ['stale', 'does not apply', 'It is stale.', ''],
      ['unnoticed', 'survived', 'It is unnoticed.', ''],
    ]);
    expect(git('status', '--short')).toBe('');
    expect(existsSync(inWork('fee.mjs')) && readFileSync(inWork('fee.mjs'), 'utf8')).toContain('>= 10 ? 1 : 0');
  });
});
