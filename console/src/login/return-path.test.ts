import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

const origin = 'https://desk.example';
const returnTo = (back: string) => returnPath(`?back=${encodeURIComponent(back)}`, origin);

test('keeps a console path with its filters', () => {
  expect(returnTo('/withdraw?state=0&page=2')).toBe('/withdraw?state=0&page=2');
});

test.each([
  '//evil.example/x',
  '/\\evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  'withdraw',
  '',
  '/login',
  '/login?back=/x',
  '/api/v1/admin/logout',
])('%j leads home', (back) => {
  expect(returnTo(back)).toBe('/home');
});

test('leads home without a path', () => {
  expect(returnPath('', origin)).toBe('/home');
});
