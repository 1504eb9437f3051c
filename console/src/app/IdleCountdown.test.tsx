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

/** Lets time pass, and the script of the dialog arrive. */
async function advance(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  await act(() => vi.dynamicImportSettled());
}
const timerText = () => screen.queryByRole('timer')?.textContent;

test('counts down during the last five minutes only', async () => {
  const onOver = vi.fn();
  render(<IdleCountdown endsAt={Date.now() + 115 * MINUTE} onStay={async () => undefined} onOver={onOver} />);
  await advance(110 * MINUTE - 2_000);
  expect(timerText()).toBeUndefined();
  await advance(3_000);
  expect(timerText()).toContain('4:59');
  await advance(59_000);
  expect(timerText()).toContain('4:00');
  expect(onOver).not.toHaveBeenCalled();
  await advance(4 * MINUTE);
  expect(onOver).toHaveBeenCalled();
});

test('extends the session on request and closes when the end moves', async () => {
  const onStay = vi.fn(async () => Date.now() + 115 * MINUTE);
  const onOver = vi.fn();
  const endsAt = Date.now() + 4 * MINUTE;
  const { rerender } = render(<IdleCountdown endsAt={endsAt} onStay={onStay} onOver={onOver} />);
  await advance(0);
  await act(async () => screen.getByRole('button', { name: '继续使用' }).click());
  expect(onStay).toHaveBeenCalledTimes(1);
  rerender(<IdleCountdown endsAt={Date.now() + 115 * MINUTE} onStay={onStay} onOver={onOver} />);
  await advance(1_000);
  expect(timerText()).toBeUndefined();
  await advance(20 * MINUTE);
  expect(onOver).not.toHaveBeenCalled();
});

test('tells the operator when the session cannot be extended', async () => {
  const endsAt = Date.now() + 3 * MINUTE;
  render(<IdleCountdown endsAt={endsAt} onStay={async () => endsAt} onOver={() => undefined} />);
  await advance(0);
  await act(async () => screen.getByRole('button', { name: '继续使用' }).click());
  await advance(0);
  expect(screen.getByText(/已达到最长时限/)).toBeTruthy();
});
