import { expect, test } from 'vitest';
import { files, read } from './files.ts';

const LINES_MAX = 60;

/** The subsystems: `contract/src` and each folder directly below `server/src` and `console/src`. */
const subsystems = [
  'contract/src',
  ...new Set(files.flatMap((path) => /^(?:server|console)\/src\/[^/]+(?=\/)/.exec(path)?.[0] ?? [])),
];

const tooLong = (paths: readonly string[]): { path: string; lines: number }[] =>
  paths.map((path) => ({ path, lines: read(path).split('\n').length - 1 })).filter(({ lines }) => lines > LINES_MAX);

test('each subsystem has a README', () => {
  expect(subsystems.length).toBeGreaterThan(20);
  expect(subsystems.filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
});

test('each decision has at most 60 lines', () => {
  const decisions = files.filter((path) => /^docs\/decisions\/\d/.test(path));
  expect(decisions.length).toBeGreaterThan(30);
  expect(tooLong(decisions)).toEqual([]);
});

test('each README of a folder has at most 60 lines', () => {
  const readmes = files.filter((path) => /\/src\/(.+\/)?README\.md$/.test(path));
  expect(tooLong(readmes)).toEqual([]);
});
