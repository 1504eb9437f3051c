import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueTask } from './task-queue.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('each is done in a task of its own, in their order', () => {
  const done: number[] = [];
  for (const one of [1, 2, 3]) queueTask(() => done.push(one));
  expect(done).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(done).toEqual([1]);
  vi.runAllTimers();
  expect(done).toEqual([1, 2, 3]);
});

test('what was taken back is not done, and one that fails keeps nobody out', () => {
  const done: number[] = [];
  const back = queueTask(() => done.push(1));
  queueTask(() => {
    throw new Error('cannot be drawn');
  });
  queueTask(() => done.push(3));
  back();
  expect(() => vi.runAllTimers()).toThrow('cannot be drawn');
  vi.runAllTimers();
  expect(done).toEqual([3]);
  queueTask(() => done.push(4));
  vi.runAllTimers();
  expect(done).toEqual([3, 4]);
});
