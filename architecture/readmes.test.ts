import { expect, test } from 'vitest';
import { files, read } from './files.ts';

const LINES_MAX = 60;

/** The subsystems: `contract/src` and each folder directly below `server/src` and `console/src`. */
const subsystems = [
  'contract/src',
  ...new Set(files.flatMap((path) => /^(?:server|console)\/src\/[^/]+(?=\/)/.exec(path)?.[0] ?? [])),
];

test('each subsystem has a README', () => {
  expect(subsystems.length).toBeGreaterThan(20);
  expect(subsystems.filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
});

test('each README of a folder has at most 60 lines', () => {
  const readmes = files.filter((path) => /\/src\/(.+\/)?README\.md$/.test(path));
  const long = readmes.map((path) => ({ path, lines: read(path).split('\n').length - 1 }));
  expect(long.filter(({ lines }) => lines > LINES_MAX)).toEqual([]);
});
