// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleCountdown } from './IdleCountdown.tsx';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = () => screen.queryByRole('timer')?.textContent;

test('nothing is said until five minutes before the end, then the time is counted down', async () => {
  const over = vi.fn();
  render(<IdleCountdown endsAt={Date.now() + 115 * MINUTE} onStay={async () => undefined} onOver={over} />);
  await pass(110 * MINUTE - 2_000);
  expect(shown()).toBeUndefined();
  await pass(3_000);
  expect(shown()).toContain('4:59');
  await pass(59_000);
  expect(shown()).toContain('4:00');
  expect(over).not.toHaveBeenCalled();
  await pass(4 * MINUTE);
  expect(over).toHaveBeenCalled();
});

test('going on asks the server, and another end takes the question away', async () => {
  const stay = vi.fn(async () => Date.now() + 115 * MINUTE);
  const over = vi.fn();
  const at = Date.now() + 4 * MINUTE;
  const { rerender } = render(<IdleCountdown endsAt={at} onStay={stay} onOver={over} />);
  await pass(0);
  await act(async () => screen.getByRole('button', { name: '继续使用' }).click());
  expect(stay).toHaveBeenCalledTimes(1);
  rerender(<IdleCountdown endsAt={Date.now() + 115 * MINUTE} onStay={stay} onOver={over} />);
  await pass(1_000);
  expect(shown()).toBeUndefined();
  await pass(20 * MINUTE);
  expect(over).not.toHaveBeenCalled();
});

test('a session at its longest cannot be prolonged, and says so', async () => {
  const at = Date.now() + 3 * MINUTE;
  render(<IdleCountdown endsAt={at} onStay={async () => at} onOver={() => undefined} />);
  await pass(0);
  await act(async () => screen.getByRole('button', { name: '继续使用' }).click());
  await pass(0);
  expect(screen.getByText(/已达到最长时限/)).toBeTruthy();
});
