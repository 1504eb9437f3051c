import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf } from './call-digest.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('covers path, key and body as the server parses it, in any order of fields, without the password', async () => {
  const expected = sha256('{"body":{"id":1,"names":["b","a"]},"key":"k","path":"agent/pwd_update"}');
  const call = { path: 'agent/pwd_update', key: 'k' };
  const body = { names: ['b', 'a'], password: 'secret', id: 1, reason: undefined };
  expect(await digestOf({ ...call, body })).toBe(expected);
  for (const other of [
    { ...call, body: { ...body, id: 2 } },
    { ...call, key: 'l', body },
    { ...call, path: 'x', body },
  ])
    expect(await digestOf(other)).not.toBe(expected);
  expect(await digestOf({ ...call, body: undefined })).toBe(sha256('{"body":{},"key":"k","path":"agent/pwd_update"}'));
});
