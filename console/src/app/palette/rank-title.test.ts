import { expect, test } from 'vitest';
import { pages } from '../pages.ts';
import { rankTitle } from './rank-title.ts';

// A page without pinyin is not found by its name: it shows one record.
test.each(
  pages.filter(({ path, pinyin }) => !path.includes(':') && pinyin !== '').map(({ title, pinyin }) => [title, pinyin]),
)('matches %s by %s and its initials', (title, pinyin) => {
  expect(pinyin.split(' ')).toHaveLength(Array.from(title).length);
  expect(pinyin).toMatch(/^[a-z]+( [a-z]+)*$/);
  expect(rankTitle(title, pinyin, pinyin.replaceAll(' ', ''))).toBe(2);
  const initials = pinyin.split(' ').map(([letter]) => letter);
  expect(rankTitle(title, pinyin, initials.join(''))).toBe(2);
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
])('ranks %j against 提现记录', (typed, rank) => {
  expect(rankTitle('提现记录', 'ti xian ji lu', typed)).toBe(rank);
});
