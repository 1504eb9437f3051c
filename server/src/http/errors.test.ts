import { refusals } from '@hengtai/contract/refusals';
import { expect, test } from 'vitest';
import { asRefusal } from './errors.ts';

const withCode = (code: string): Error => Object.assign(new Error('the database is away'), { code });

test.each([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  // The server stops; PgBouncer has no server; the primary became a standby.
  '57P01',
  '08P01',
  '25006',
])('answers 503 for %s, because a retry can succeed', (code) => {
  expect(asRefusal(withCode(code)).refusal).toBe(refusals.unavailable);
});

test.each([
  'Connection terminated unexpectedly',
  'Query read timeout',
  'The database is a standby: it cannot serve writes.',
])('answers 503 for "%s"', (message) => {
  expect(asRefusal(new Error(message)).refusal).toBe(refusals.unavailable);
});

test.each(['23505', '42P01', '080001', ''])('answers 500 for code "%s", which a retry does not mend', (code) => {
  expect(asRefusal(withCode(code)).refusal).toBe(refusals.internalError);
});
