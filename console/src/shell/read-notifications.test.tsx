// @vitest-environment happy-dom
import type { NotificationRow } from '@hengtai/contract/notify.schema';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { FromLine } from '../api/notify-line.ts';

let tell: (message: FromLine) => void = () => undefined;
vi.mock(import('../api/notify-line.ts'), async (original) => ({
  ...(await original()),
  openLine: (_token, hear) => {
    tell = hear;
    return { useToken: () => undefined, stop: () => undefined };
  },
}));

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const notification = (id: number, type: NotificationRow['type'], refId: number, own = false): NotificationRow => ({
  id,
  type,
  noun: 'service',
  refType: 'service',
  refId,
  userId: 1,
  account: 'u',
  agent: 'a',
  marketName: null,
  amount: null,
  state: null,
  detail: '',
  own,
  at: id,
});

test('what is read as it comes is no news, also when both are told at once', async () => {
  // Files share a worker: what another one loaded late would know the line as it is.
  vi.resetModules();
  const { startNotify } = await import('../api/notify.ts');
  const { saveSession } = await import('../api/session.ts');
  const { useReadNotifications } = await import('./read-notifications.ts');
  saveSession({ token: 't', admin: 'reader', planSet: false });
  const stop = startNotify();
  const { result } = renderHook(() => useReadNotifications());
  await act(async () => tell({ kind: 'snapshot', counts: {}, facts: [], last: 10, missed: false }));
  await act(async () => tell({ kind: 'facts', facts: [notification(11, 'service.received', 7)], last: 11 }));
  expect(result.current.unread).toBe(1);
  const both = [notification(12, 'service.received', 8), notification(13, 'service.read', 8, true)];
  await act(async () => tell({ kind: 'facts', facts: both, last: 13 }));
  expect(result.current.unread).toBe(1);
  const twice = [notification(14, 'service.read', 7, true), notification(15, 'service.received', 9)];
  await act(async () => {
    tell({ kind: 'facts', facts: twice, last: 15 });
    tell({ kind: 'facts', facts: [notification(16, 'service.read', 9, true)], last: 16 });
  });
  expect(result.current.unread).toBe(0);
  stop();
});
