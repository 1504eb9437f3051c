// @vitest-environment happy-dom
import type { KycDetail, KycDocument } from '@hengtai/contract/risk/kyc/schema';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Head } from './Details.tsx';
import { DocumentNumberItem } from './DocumentNumberItem.tsx';

afterEach(cleanup);

const document: KycDocument = {
  kind: 'resident',
  valid: true,
  birth: '1949-12-31',
  age: 76,
  sex: 2,
  marks: ['name', 'country'],
};
const show = (fields: Partial<KycDocument>, isRevealed = false): string | null =>
  render(<DocumentNumberItem document={{ ...document, ...fields }} isRevealed={isRevealed} />).container.textContent;

test('says what the number says, and marks what is odd', () => {
  expect(show({})).toBe('号码所示居民身份证 · 校验码正确 · 女 · 76 岁姓名不含汉字与填写的国家/地区不符');
  expect(screen.getAllByRole('listitem').map(({ dataset }) => dataset['grave'])).toEqual(['false', 'false']);
});

test('shows the birth date with the revealed number only', () =>
  expect(show({ marks: [] }, true)).toBe('号码所示居民身份证 · 校验码正确 · 女 · 76 岁 · 1949-12-31 出生'));

test('says that other documents are not checked', () => {
  const nothing: KycDocument = { kind: 'other', valid: null, birth: null, age: null, sex: null, marks: [] };
  expect(show(nothing)).toBe('号码所示其他证件 · 不校验号码');
  expect(screen.queryByRole('list')).toBeNull();
});

test('a wrong check character is a mark only', () =>
  expect(show({ valid: false, marks: ['check'] })).toBe('号码所示居民身份证 · 女 · 76 岁校验码不符'));

test.each([
  [{ users: 0, outside: false }, '没有其他用户使用同一证件'],
  [{ users: 0, outside: null }, '没有其他用户使用同一证件'],
  [{ users: 0, outside: true }, '另有范围外账号'],
  [{ users: 2, outside: true }, '另有 2 位用户使用同一证件另有范围外账号'],
])('the head says of %j: %s', (same, text) => {
  const detail = {
    row: { level: 1, idType: 1, country: '中国' },
    same: { ...same, list: [] },
    approval: { openId: null },
  } as unknown as KycDetail;
  const { container } = render(<Head detail={detail} />);
  expect(container.textContent).toContain(text);
  expect(container.querySelectorAll('.ht-value-risk')).toHaveLength(same.users > 0 ? 2 : 1);
});
