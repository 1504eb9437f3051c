import { expect, test } from 'vitest';
import { pages } from '../pages.ts';
import { pagePinyin, rankTitle } from './page-pinyin.ts';

const plain = pages.filter(({ path }) => !path.includes(':'));

test('has pinyin for exactly the pages that open without a record', () => {
  expect(Object.keys(pagePinyin).toSorted()).toEqual(plain.map(({ path }) => path).toSorted());
});

test.each(plain.map(({ path, title }) => [title, pagePinyin[path] ?? '']))(
  'matches %s by %s and its initials',
  (title, pinyin) => {
    expect(pinyin.split(' ')).toHaveLength(Array.from(title).length);
    expect(pinyin).toMatch(/^[a-z]+( [a-z]+)*$/);
    expect(rankTitle(title, pinyin, pinyin.replaceAll(' ', ''))).toBe(2);
    const initials = pinyin.split(' ').map(([letter]) => letter);
    expect(rankTitle(title, pinyin, initials.join(''))).toBe(2);
  },
);

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
