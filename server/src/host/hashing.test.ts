import { Worker } from 'node:worker_threads';
import { verify } from '@node-rs/argon2';
import { afterEach, expect, test } from 'vitest';
import { HashThread } from './hashing.ts';

const open: HashThread[] = [];
/** Worker threads do not inherit the TypeScript loader, so the source registers it. */
const SOURCE = `
  import('tsx/esm/api')
    .then(({ register }) => register())
    .then(() => import(${JSON.stringify(new URL('./hasher.ts', import.meta.url).href)}))`;
const startThread = (): HashThread => {
  const made = new HashThread(new Worker(SOURCE, { eval: true }));
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.end();
});

test('hashes a password and compares it with a hash', async () => {
  const hasher = startThread();
  const hash = await hasher.run({ password: '密码 one' });
  expect(await verify(String(hash), '密码 one')).toBe(true);
  expect(await hasher.run({ password: '密码 one', against: String(hash) })).toBe(true);
  expect(await hasher.run({ password: 'two', against: String(hash) })).toBe(false);
});

test('rejects a malformed hash and continues', async () => {
  const hasher = startThread();
  await expect(hasher.run({ password: 'one', against: 'no hash' })).rejects.toThrow();
  expect(await hasher.run({ password: 'one' })).toMatch(/^\$argon2id\$/);
  expect(hasher.hasExited).toBe(false);
});

test('rejects a waiting caller when the thread ends, and reports that it has exited', async () => {
  const hasher = startThread();
  await hasher.run({ password: 'one' });
  const rejection = expect(hasher.run({ password: 'one' })).rejects.toThrow();
  await hasher.end();
  await rejection;
  expect(hasher.hasExited).toBe(true);
});
