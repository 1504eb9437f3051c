import { expect, test } from 'vitest';
import { claimInStorage } from './sound-claim.ts';

function makeStore() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('of many windows one sounds', async () => {
  const store = makeStore();
  const asked = await Promise.all(['a', 'b', 'c'].map((name) => claimInStorage(5, store, name)));
  expect(asked.filter(Boolean)).toHaveLength(1);
  expect(await claimInStorage(5, store, 'd')).toBe(false);
});

test('a fact sounds after the one before it, and never after a later one', async () => {
  const store = makeStore();
  expect(await claimInStorage(5, store, 'a')).toBe(true);
  expect(await claimInStorage(6, store, 'b')).toBe(true);
  expect(await claimInStorage(5, store, 'a')).toBe(false);
});
