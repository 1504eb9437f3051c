import { expect, test } from 'vitest';
import { areaOf, areas } from '../scripts/test-areas.mjs';
import { type TestTable, makeTable, selectTests } from '../scripts/test-changed.mjs';
import { code, read } from './files.ts';

const testFiles = code.filter((path) => /\.(test|e2e)\.tsx?$/.test(path));

test('every test file belongs to an area', () => {
  expect(testFiles.filter((path) => areaOf(path) === 'other')).toEqual([]);
});

test('docs/testing.md describes every area', () => {
  const described = [...read('docs/testing.md').matchAll(/^\| ([^|]+?) +\|/gm)].map(([, area]) => area);
  expect(described).toEqual(expect.arrayContaining(areas.map(([area]) => area)));
});

test('the short run has at least one test of each area', () => {
  const short = testFiles.filter((path) => {
    const text = read(path);
    return path.endsWith('.e2e.ts') ? text.includes("'@short'") : !text.includes('@module-tag full');
  });
  const missing = areas.map(([area]) => area).filter((area) => !short.some((path) => areaOf(path) === area));
  expect(missing).toEqual([]);
});

test('the tests of a change are those that run its folder most, within the time of a folder', () => {
  const common = Array.from({ length: 8 }, (_, n) => ({
    test: `other${n}.test.ts`,
    functions: ['a/src/books/x.ts#log@1'],
  }));
  const runs = [
    { test: 'one.test.ts', functions: ['a/src/money/x.ts#pay@1', 'a/src/books/x.ts#log@1'] },
    { test: 'both.test.ts', functions: ['a/src/money/x.ts#pay@1', 'a/src/money/y.ts#hold@1'] },
    { test: 'slow.test.ts', functions: ['a/src/money/x.ts#stop@1'] },
    ...common,
  ];
  const table = makeTable(runs, { 'one.test.ts': 10, 'both.test.ts': 20, 'slow.test.ts': 900 });
  expect(table).toEqual({ 'a/src/money': ['both.test.ts', 'one.test.ts'] });
  expect(
    selectTests(['a/src/money/deep/z.ts', 'b/src/new/x.ts', 'docs/x.md', 'console/src/domains/risk/kyc/A.tsx'], table),
  ).toEqual({
    unit: ['both.test.ts', 'one.test.ts'],
    browser: ['kyc.e2e'],
    untested: ['b/src/new/x.ts'],
  });
});

test('the table of test:changed names files that exist', () => {
  const table: TestTable = JSON.parse(read('testing/covered.json'));
  const named = [...new Set(Object.values(table).flat())];
  expect(named.filter((path) => !code.includes(path))).toEqual([]);
});
