import { expect, test } from 'vitest';
import { relyingPartyOf, signingPageOf } from './relying-party.ts';

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

test.each([
  [
    undefined,
    undefined,
    { id: 'localhost', origin: 'http://localhost:8080', url: 'http://localhost:8080/signing/', isApart: false },
  ],
  [
    undefined,
    'https://desk.example.com',
    {
      id: 'desk.example.com',
      origin: 'https://desk.example.com',
      url: 'https://desk.example.com/signing/',
      isApart: false,
    },
  ],
  [
    'https://sign.example.com/',
    'https://desk.example.com',
    { id: 'sign.example.com', origin: 'https://sign.example.com', url: 'https://sign.example.com/', isApart: true },
  ],
  // Another port is another origin.
  [
    'http://localhost:9000/',
    undefined,
    { id: 'localhost', origin: 'http://localhost:9000', url: 'http://localhost:9000/', isApart: true },
  ],
  // The console itself may have no address for passkeys.
  [
    'https://sign.example.com/',
    'http://10.0.0.1',
    { id: 'sign.example.com', origin: 'https://sign.example.com', url: 'https://sign.example.com/', isApart: true },
  ],
  [undefined, 'http://10.0.0.1', undefined],
])('SIGNING_URL %s with PUBLIC_URL %s', (signingUrl, publicUrl, expected) => {
  expect(signingPageOf(signingUrl, publicUrl, 8080)).toEqual(expected);
});
