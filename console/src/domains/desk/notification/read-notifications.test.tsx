// @vitest-environment happy-dom
import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ConnectionMessage } from '../../../api/notify-connection.ts';

let emit: (message: ConnectionMessage) => void = () => undefined;
vi.mock(import('../../../api/notify-connection.ts'), async (original) => ({
  ...(await original()),
  openConnection: (_token, onMessage) => {
    emit = onMessage;
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

test('a message read on arrival is not unread, also when both notifications arrive together', async () => {
  // Test files share a worker, so a module loaded by another file would use the unmocked connection.
  vi.resetModules();
  const { startNotify } = await import('../../../api/notify.ts');
  const { saveSession } = await import('../../../api/session.ts');
  const { useReadNotifications } = await import('./read-notifications.ts');
  saveSession({ token: 't', admin: 'reader', planSet: false });
  const stop = startNotify();
  const { result } = renderHook(() => useReadNotifications());
  await act(async () => emit({ kind: 'snapshot', counts: {}, notifications: [], last: 10, missed: false }));
  await act(async () =>
    emit({ kind: 'notifications', notifications: [notification(11, 'service.received', 7)], last: 11 }),
  );
  expect(result.current.unread).toBe(1);
  const readAtOnce = [notification(12, 'service.received', 8), notification(13, 'service.read', 8, true)];
  await act(async () => emit({ kind: 'notifications', notifications: readAtOnce, last: 13 }));
  expect(result.current.unread).toBe(1);
  const readLater = [notification(14, 'service.read', 7, true), notification(15, 'service.received', 9)];
  await act(async () => {
    emit({ kind: 'notifications', notifications: readLater, last: 15 });
    emit({ kind: 'notifications', notifications: [notification(16, 'service.read', 9, true)], last: 16 });
  });
  expect(result.current.unread).toBe(0);
  stop();
});
