import { expect, test } from 'vitest';
import { resetToken } from './reset-token.ts';

const token = `${'a-Z_0'.repeat(8)}xyz`;

test('reads a complete token from the hash and nothing else', () => {
  expect(resetToken(`#reset=${token}`)).toBe(token);
  for (const hash of ['', '#', '#reset=', `#reset=${token}x`, `#reset=${token.slice(1)}`, `#other=${token}`])
    expect(resetToken(hash)).toBeUndefined();
});
