import { userPayout } from '@hengtai/contract/people/user/calls';
import { expect, test } from 'vitest';
import { generatePassword } from '../../../ui/form/generate-password.ts';
import { parsePayout } from './words.ts';

test.each([
  ['1', '1'],
  ['100', '100'],
  ['100.00', '100'],
  ['099.50', '99.5'],
  [' 85.125 ', '85.125'],
  ['99.999999999999999999', '99.999999999999999999'],
])('%s is a valid payout rate', (text, percent) => {
  expect(parsePayout(text)).toBe(percent);
});

test.each([
  '',
  '0',
  '0.99',
  '100.000000000000000001',
  '101',
  '-5',
  '1e1',
  '85%',
  '1.',
  '.5',
  '85,5',
  '1.0000000000000000001',
])('%s is not a valid payout rate', (text) => {
  expect(parsePayout(text)).toBeUndefined();
});

test('the text of a tier contains its rate', () => {
  expect(userPayout({ winType: 1, winRate: '85' })).toBe('专属收益率 85%');
  expect(userPayout({ winType: 0, winRate: null })).toBe('标准收益率');
});

test('generated passwords are long, readable and unique', () => {
  const passwords = Array.from({ length: 200 }, () => generatePassword());
  for (const password of passwords) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{16}$/);
  expect(new Set(passwords).size).toBe(200);
});

test('discards bytes that would bias the characters', () => {
  let call = 0;
  const password = generatePassword((bytes) => bytes.fill(call++ === 0 ? 255 : 1));
  expect(call).toBeGreaterThan(1);
  expect(password).toBe('b'.repeat(16));
});
