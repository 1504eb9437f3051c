import { expect, test } from 'vitest';
import { code, read } from './files.ts';

// docs/asvs.md names tests as `end/of/path.test.ts` and a part of the title.

const testFiles = code.filter((path) => /\.(test|e2e)\.tsx?$/.test(path));
const rows = read('docs/asvs.md')
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** What is wrong with a named test; undefined if exactly one file has it. */
function problemOf(named: string): string | undefined {
  const [, end = '', title = ''] = /^`([\w./-]+\.(?:test|e2e)\.ts)` (.+)$/.exec(named) ?? [];
  const files = testFiles.filter((path) => `/${path}`.endsWith(`/${end}`));
  if (end === '' || files.length !== 1) return `${named}: ${files.length} files`;
  return read(files[0] ?? '').includes(title) ? undefined : `${named}: no such title`;
}

test('every test that docs/asvs.md names exists', () => {
  const named = rows.flatMap((cells) => (cells[5] === '—' ? [] : (cells[5] ?? '').split(/; (?=`)/)));
  expect(named.length).toBeGreaterThan(60);
  expect(named.flatMap((one) => problemOf(one) ?? [])).toEqual([]);
});

test('every requirement of the chapters is answered once', () => {
  // Section and number of requirements.
  const counts =
    '6.1:3 6.2:12 6.3:8 6.4:6 6.5:8 6.6:4 6.7:2 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:3 7.6:2 10.2:3 10.5:5 ' +
    '11.1:4 11.2:5 11.3:5 11.4:4 11.5:2 11.6:2 11.7:2';
  const expected = counts.split(' ').flatMap((one) => {
    const [section, count] = one.split(':');
    return Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`);
  });
  expect(rows.map((cells) => cells[1])).toEqual(expected);
  expect(rows.filter((cells) => !/^(yes|partly|no|n\/a)$/.test(cells[3] ?? ''))).toEqual([]);
});
