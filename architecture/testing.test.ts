import { expect, test } from 'vitest';
import { areaOf, areas } from '../scripts/test-areas.mjs';
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
