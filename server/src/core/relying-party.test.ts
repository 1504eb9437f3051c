import { expect, test } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

test.each([
  [undefined, { id: 'localhost', origin: 'http://localhost:8080' }],
  ['https://desk.example.com', { id: 'desk.example.com', origin: 'https://desk.example.com' }],
  ['https://desk.example.com:8443', { id: 'desk.example.com', origin: 'https://desk.example.com:8443' }],
  ['http://localhost:9000', { id: 'localhost', origin: 'http://localhost:9000' }],
  ['http://desk.localhost', { id: 'desk.localhost', origin: 'http://desk.localhost' }],
  // Not secure, or without a name.
  ['http://desk.example.com', undefined],
  ['https://192.168.1.5', undefined],
  ['http://127.0.0.1', undefined],
  ['https://[::1]', undefined],
])('PUBLIC_URL %s', (publicUrl, expected) => {
  expect(relyingPartyOf(publicUrl, 8080)).toEqual(expected);
});
