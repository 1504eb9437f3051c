import { QueryClient } from '@tanstack/react-query';
import { CODE } from '@hengtai/contract/wire/envelope';
import { CallError, NetworkError, TimeoutError } from './client.ts';

const HOUR_MS = 3_600_000;
const RETRIES_MAX = 2;

/**
 * Reads are retried if no response arrived or the server is unavailable, but not after a timeout: the operator has waited
 * long enough to be told. Data of hidden tabs stays for hours (closing a
 * tab drops it) and is fresh for half a minute. `networkMode: always`, because the offline state of the browser says
 * nothing about a server in the local network.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES_MAX && isRetryable(error),
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000),
      staleTime: 30_000,
      gcTime: 6 * HOUR_MS,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function isRetryable(error: Error): boolean {
  if (error instanceof TimeoutError) return false;
  return error instanceof NetworkError || (error instanceof CallError && error.code === CODE.unavailable);
}
