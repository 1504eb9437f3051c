// @vitest-environment happy-dom
import { market } from '@hengtai/contract/market';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useRead } from './hooks.ts';
import { arrivedData, prefetch } from './prefetch.ts';
import { queryClient } from './query-client.ts';

let calls = 0;
let respond: () => void;

beforeEach(() => {
  calls = 0;
  vi.stubGlobal('fetch', async () => {
    calls += 1;
    const data = calls;
    await new Promise<void>((resolve) => (respond = resolve));
    return new Response(JSON.stringify({ code: 200, msg: '', data }));
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** What each rendering of a read showed; undefined is a skeleton. */
function renderRead() {
  const shown: unknown[] = [];
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      const read = useRead(market.filter, {});
      shown.push(read.data);
      return read;
    },
    { wrapper },
  );
  return { shown, result };
}

const answerNow = async (expected: number) => {
  await waitFor(() => expect(calls).toBe(expected));
  respond();
};

test('an answer that arrived before its component is rendered at once, and not requested again', async () => {
  prefetch(market.filter, {});
  await answerNow(1);
  await waitFor(() => expect(arrivedData(market.filter, {}).initialData).toBeDefined());
  const { shown, result } = renderRead();
  expect(shown[0]).toBe(1);
  expect(calls).toBe(1);
  void result.current.refetch();
  await answerNow(2);
  await waitFor(() => expect(result.current.data).toBe(2));
});

test('an answer that is still on its way is awaited', async () => {
  prefetch(market.filter, {});
  const { shown, result } = renderRead();
  expect(shown[0]).toBeUndefined();
  await answerNow(1);
  await waitFor(() => expect(result.current.data).toBe(1));
  expect(calls).toBe(1);
});

test('an old answer is requested again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    prefetch(market.filter, {});
    await answerNow(1);
    await waitFor(() => expect(arrivedData(market.filter, {}).initialData).toBeDefined());
    vi.setSystemTime(Date.now() + 60_000);
    const { shown, result } = renderRead();
    expect(shown[0]).toBeUndefined();
    await answerNow(2);
    await waitFor(() => expect(result.current.data).toBe(2));
  } finally {
    vi.useRealTimers();
  }
});
