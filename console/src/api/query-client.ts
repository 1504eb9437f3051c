import { QueryClient } from '@tanstack/react-query';
import { CODE } from '@hengtai/contract/envelope';
import { CallError, NetworkTrouble } from './client.ts';

const HOUR = 3_600_000;
const MOST_RETRIES = 2;

/**
 * Reads are tried again where no answer came or the server was away. Data of hidden tabs stays for hours (closing a tab
 * drops it), and coming back to a tab within half a minute asks nothing. `networkMode: always`: the browser's own idea of
 * being offline knows nothing of a server in the same house.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < MOST_RETRIES && mayRetry(error),
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000),
      staleTime: 30_000,
      gcTime: 6 * HOUR,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function mayRetry(error: Error): boolean {
  return error instanceof NetworkTrouble || (error instanceof CallError && error.code === CODE.unavailable);
}
