import { expect, test } from 'vitest';
import { pages } from '../pages.ts';
import { pageWords, rankOf } from './page-words.ts';

const plain = pages.filter(({ path }) => !path.includes(':'));

test('every page that can be opened without a record has its words, and nothing else has', () => {
  expect(Object.keys(pageWords).toSorted()).toEqual(plain.map(({ path }) => path).toSorted());
});

test.each(plain.map(({ path, title }) => [title, pageWords[path] ?? '']))('%s is typed as %s', (title, words) => {
  expect(words.split(' ')).toHaveLength(Array.from(title).length);
  expect(words).toMatch(/^[a-z]+( [a-z]+)*$/);
  expect(rankOf(title, words, words.replaceAll(' ', ''))).toBe(2);
  const initials = words.split(' ').map(([letter]) => letter);
  expect(rankOf(title, words, initials.join(''))).toBe(2);
});

test.each([
  ['提现', 0],
  ['记录', 1],
  ['tixian', 2],
  ['TXJL', 2],
  ['ti xian', 2],
  ['tixjl', 2],
  ['jl', 3],
  ['jilu', 3],
  ['t', 2],
  ['xt', undefined],
  ['txx', undefined],
  ['提款', undefined],
  ['', undefined],
  ['%', undefined],
])('%j among 提现记录', (typed, rank) => {
  expect(rankOf('提现记录', 'ti xian ji lu', typed)).toBe(rank);
});
