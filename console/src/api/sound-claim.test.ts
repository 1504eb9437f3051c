import { expect, test } from 'vitest';
import { claimInStorage } from './sound-claim.ts';

function makeStore() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
}

test('grants the sound to one of several windows', async () => {
  const store = makeStore();
  const claims = await Promise.all(['a', 'b', 'c'].map((name) => claimInStorage(5, store, name)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await claimInStorage(5, store, 'd')).toBe(false);
});

test('grants newer notifications and never one older than the last', async () => {
  const store = makeStore();
  expect(await claimInStorage(5, store, 'a')).toBe(true);
  expect(await claimInStorage(6, store, 'b')).toBe(true);
  expect(await claimInStorage(5, store, 'a')).toBe(false);
});
