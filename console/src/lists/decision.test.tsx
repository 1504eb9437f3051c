// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DialogRequest, useDecision } from './decision.tsx';
import type { Queue } from './queue.ts';

const RECORD = { id: 7 };

const queueWith = (part: Partial<Queue>): Queue => ({
  queue: true,
  open: undefined,
  left: 0,
  next: undefined,
  above: undefined,
  below: undefined,
  isMoving: false,
  empty: false,
  show: vi.fn<Queue['show']>(),
  close: vi.fn<Queue['close']>(),
  postpone: undefined,
  onDecided: vi.fn<Queue['onDecided']>(),
  ...part,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('the drawer says for three seconds that the queue is empty, however long the last answer takes', () => {
  const { result, rerender } = renderHook((queue: Queue) => useDecision<typeof RECORD, string>(queue), {
    initialProps: queueWith({ open: RECORD.id }),
  });
  act(() => result.current.ask('reject', RECORD, true));
  let request: DialogRequest<typeof RECORD, string> | undefined;
  result.current.renderDialog((given) => {
    request = given;
    return null;
  });
  act(() => request?.onDone(RECORD));

  rerender(queueWith({}));
  act(() => void vi.advanceTimersByTime(10_000));
  expect(result.current.flow.end).toEqual({ isEmpty: false });
  rerender(queueWith({ empty: true }));
  act(() => void vi.advanceTimersByTime(2_999));
  expect(result.current.flow.end).toEqual({ isEmpty: true });
  act(() => void vi.advanceTimersByTime(1));
  expect(result.current.flow.end).toBeUndefined();
});
