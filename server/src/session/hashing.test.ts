import { Worker } from 'node:worker_threads';
import { verify } from '@node-rs/argon2';
import { afterEach, expect, test } from 'vitest';
import { HashThread } from './hashing.ts';

const open: HashThread[] = [];
/** A thread takes no loader of its process along. */
const SOURCE = `
  import('tsx/esm/api')
    .then(({ register }) => register())
    .then(() => import(${JSON.stringify(new URL('./hasher.ts', import.meta.url).href)}))`;
const thread = (): HashThread => {
  const made = new HashThread(new Worker(SOURCE, { eval: true }));
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.end();
});

test('a thread hashes, and compares with a hash', async () => {
  const hasher = thread();
  const hash = await hasher.ask({ password: '密码 one' });
  expect(await verify(String(hash), '密码 one')).toBe(true);
  expect(await hasher.ask({ password: '密码 one', against: String(hash) })).toBe(true);
  expect(await hasher.ask({ password: 'two', against: String(hash) })).toBe(false);
});

test('what is no hash is refused, and the thread goes on', async () => {
  const hasher = thread();
  await expect(hasher.ask({ password: 'one', against: 'no hash' })).rejects.toThrow();
  expect(await hasher.ask({ password: 'one' })).toMatch(/^\$argon2id\$/);
  expect(hasher.left).toBe(false);
});

test('who waits for a thread that ends hears of it, and it is known to have left', async () => {
  const hasher = thread();
  await hasher.ask({ password: 'one' });
  const asked = expect(hasher.ask({ password: 'one' })).rejects.toThrow();
  await hasher.end();
  await asked;
  expect(hasher.left).toBe(true);
});
