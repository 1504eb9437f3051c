// @vitest-environment happy-dom
import { installation } from '@hengtai/contract/desk/installation/calls';
import type { InstallationState } from '@hengtai/contract/desk/installation/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryKeyOf } from '../../../api/hooks.ts';
import { useChartRefetchMs } from './chart-refetch.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('charts refresh faster during an import, without a request for the import state', async () => {
  const fetchMock = vi.fn();
  vi.stubGlobal('fetch', fetchMock);
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useChartRefetchMs(), { wrapper });
  const expectPace = async (state: InstallationState, pace: number) => {
    client.setQueryData(queryKeyOf(installation.state, {}), state);
    await waitFor(() => expect(result.current).toBe(pace));
  };
  expect(result.current).toBe(60_000);
  await expectPace({ live: 0, importing: { from: 1, reached: 2, events: null, share: 0.5 } }, 5_000);
  await expectPace({ live: 1, importing: null }, 60_000);
  expect(fetchMock).not.toHaveBeenCalled();
});
