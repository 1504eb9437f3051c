import { describe, expect, test } from 'vitest';
import { files, read } from './files.ts';

/** The retired words in the last section of docs/glossary.md. */
const rows = (read('docs/glossary.md').split('## Retired words')[1] ?? '').matchAll(/^\| (`\w+`(?:, `\w+`)*) +\|/gm);
const retired = [...rows].flatMap(([, words = '']) => words.replaceAll('`', '').split(', '));

const CODE = /\.(ts|tsx|mts|mjs|css|html|sh|sql)$/;

/** Matches a word, its plural and its past, alone or as part of an identifier. */
function patternOf(word: string): RegExp {
  if (/^[A-Z]+$/.test(word)) return new RegExp(`\\b${word}\\b`);
  if (/[a-z][A-Z]/.test(word)) return new RegExp(`\\b${word}\\b`);
  const [first = '', rest] = [word[0], word.slice(1)];
  const ending = '(?:s|es|ed)?(?![a-z])';
  return new RegExp(
    `(?<![A-Za-z])${first}${rest}${ending}|(?<![A-Z])${first.toUpperCase()}${rest}${ending}|\\b${word.toUpperCase()}S?\\b`,
  );
}

const findRetired = (text: string, words: readonly string[]): string[] =>
  words.filter((word) => patternOf(word).test(text));

describe('retired words', () => {
  test('are detected in identifiers, comments and class names', () => {
    const found = (text: string): string[] => findRetired(text, ['deed', 'insertSoon', 'TOLD']);
    for (const text of ['const deed', 'useDeeds()', 'setDeed', 'ht-deeds', 'DEEDS', '// A deed is done.', 'deedName'])
      expect(found(text)).toEqual(['deed']);
    expect(found('await insertSoon(db)')).toEqual(['insertSoon']);
    expect(found('sql`${TOLD}`')).toEqual(['TOLD']);
    expect(found('indeed, he told him of Deedham')).toEqual([]);
  });

  test('do not occur in code', () => {
    expect(retired.length).toBeGreaterThan(10);
    const broken = files
      .filter((path) => CODE.test(path) && path !== 'architecture/language.test.ts')
      .flatMap((path) => findRetired(`${path}\n${read(path)}`, retired).map((word) => `${path}: ${word}`));
    expect(broken).toEqual([]);
  });
});

describe('documents', () => {
  const LINE_MAX = 100;

  /** Numbers of lines that are too long, ignoring code, tables and addresses. */
  function findLongLines(text: string): number[] {
    let isCode = false;
    return text.split('\n').flatMap((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      const prose = line.replaceAll(/\]\([^)]*\)|https?:\/\/\S+/g, ']');
      return !isCode && !/^\s*\|/.test(line) && prose.length > LINE_MAX ? [index + 1] : [];
    });
  }

  test('long lines are detected in prose only', () => {
    const long = 'a '.repeat(60);
    expect(findLongLines(long)).toEqual([1]);
    expect(findLongLines(`| ${long} |`)).toEqual([]);
    expect(findLongLines(`\`\`\`sh\n${long}\n\`\`\`\n${long}`)).toEqual([4]);
    expect(findLongLines(`See [this](https://example.com/${'a'.repeat(100)}).`)).toEqual([]);
  });

  test('wrap at 100 characters', () => {
    const documents = files.filter((path) => path.endsWith('.md'));
    const broken = documents.flatMap((path) => findLongLines(read(path)).map((line) => `${path}:${line}`));
    expect(broken).toEqual([]);
  });
});
