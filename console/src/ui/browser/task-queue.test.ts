import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueTask } from './task-queue.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('runs each task separately and in order', () => {
  const done: number[] = [];
  for (const id of [1, 2, 3]) queueTask(() => done.push(id));
  expect(done).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(done).toEqual([1]);
  vi.runAllTimers();
  expect(done).toEqual([1, 2, 3]);
});

test('skips cancelled tasks and continues after a failing one', () => {
  const done: number[] = [];
  const cancel = queueTask(() => done.push(1));
  queueTask(() => {
    throw new Error('cannot be drawn');
  });
  queueTask(() => done.push(3));
  cancel();
  expect(() => vi.runAllTimers()).toThrow('cannot be drawn');
  vi.runAllTimers();
  expect(done).toEqual([3]);
  queueTask(() => done.push(4));
  vi.runAllTimers();
  expect(done).toEqual([3, 4]);
});
