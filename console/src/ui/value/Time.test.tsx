// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Time } from './Time.tsx';
import { ZoneContext } from './zone.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 8, 6) })); // 14:00 in Shanghai
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it.each([
  [Date.UTC(2026, 2, 8, 5, 3, 7), '今天 13:03', '2026-03-08 13:03:07.000 Asia/Shanghai (UTC+8)'],
  [Date.UTC(2026, 2, 7, 1, 12), '昨天 09:12', '2026-03-07 09:12:00.000 Asia/Shanghai (UTC+8)'],
  [Date.UTC(2026, 0, 20, 16, 40), '01-21 00:40', '2026-01-21 00:40:00.000 Asia/Shanghai (UTC+8)'],
  [Date.UTC(2025, 10, 21, 3), '2025-11-21', '2025-11-21 11:00:00.000 Asia/Shanghai (UTC+8)'],
])('is as short as its distance allows, in full on hover', (value, short, full) => {
  const { container } = render(
    <ZoneContext value="Asia/Shanghai">
      <Time value={value} near />
    </ZoneContext>,
  );
  const time = container.querySelector('time');
  expect([time?.textContent, time?.title]).toEqual([short, full]);
});
