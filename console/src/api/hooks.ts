import {
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import { CODE } from '@hengtai/contract/wire/envelope';
import { use, useCallback, useEffect } from 'react';
import { readPrefetched } from './prefetch.ts';
import { type CallError, type NetworkError, send } from './client.ts';
import { QueryTab, registerQuery } from './tab-queries.ts';
import { makesStale } from './stale.ts';

export { newKey } from './client.ts';

/** Reads again what a call may have changed. */
export function readAgainAfter(client: QueryClient, call: CallSpec): void {
  const isStale = makesStale(call);
  void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isStale(String(path)) });
}

export const queryKeyOf = <C extends CallSpec>(call: C, input: InputOf<C>): QueryKey => [call.path, input];

export interface ReadOptions {
  enabled?: boolean;
  /** Milliseconds between silent refetches while the tab is visible. */
  refetchMs?: number | false;
  /** Shows the previous data while the next input is loading. */
  keepPrevious?: boolean;
  staleTime?: number;
}

/**
 * Reads a call, once there is an input. The query key is the path of the call and its input, and belongs to the tab.
 */
export function useRead<C extends CallSpec>(
  call: C,
  input: InputOf<C> | undefined,
  options: ReadOptions = {},
): UseQueryResult<OutputOf<C>, CallError | NetworkError> {
  const queryKey = [call.path, input];
  const tabKey = use(QueryTab);
  useEffect(() => registerQuery(tabKey, queryKey));
  return useQuery<OutputOf<C>, CallError | NetworkError>({
    queryKey,
    queryFn: async ({ signal }) => (await readPrefetched(call, input as InputOf<C>, { signal })).data,
    refetchInterval: options.refetchMs ?? false,
    enabled: input !== undefined && (options.enabled ?? true),
    ...(options.staleTime !== undefined && { staleTime: options.staleTime }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** `useRead` for several inputs; results in the order of the inputs. */
export function useReads<C extends CallSpec>(
  call: C,
  inputs: readonly InputOf<C>[],
  { refetchMs }: Pick<ReadOptions, 'refetchMs'> = {},
): UseQueryResult<OutputOf<C>, CallError | NetworkError>[] {
  const tabKey = use(QueryTab);
  useEffect(() => {
    for (const input of inputs) registerQuery(tabKey, queryKeyOf(call, input));
  });
  return useQueries<UseQueryOptions<OutputOf<C>, CallError | NetworkError>[]>({
    queries: inputs.map((input) => ({
      queryKey: queryKeyOf(call, input),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<OutputOf<C>> =>
        (await send(call, input, { signal })).data,
      refetchInterval: refetchMs ?? false,
    })),
  });
}

export type Outcome<O> = { kind: 'done'; data: O; msg: string } | { kind: 'submitted'; approval: ApprovalRow };

export interface ActionOptions<O> {
  /** Also runs if the tab was hidden meanwhile. */
  onDone?: (outcome: Outcome<O>) => void;
}

export interface Action<I, O> {
  submit: (input: I, key: string) => Promise<Outcome<O>>;
  pending: boolean;
}

/** Executes a mutation, and refetches the reads that show what it changes. It is never retried automatically. */
export function useAction<C extends CallSpec>(
  call: C,
  { onDone }: ActionOptions<OutputOf<C>> = {},
): Action<InputOf<C>, OutputOf<C>> {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async ({ input, key }: { input: InputOf<C>; key: string }): Promise<Outcome<OutputOf<C>>> => {
      const { code, msg, data } = await send(call, input, { key });
      return code === CODE.submitted
        ? { kind: 'submitted', approval: data as unknown as ApprovalRow }
        : { kind: 'done', data, msg };
    },
    onSuccess: (outcome) => {
      if (outcome.kind === 'submitted') {
        // Loaded on demand to keep it out of every page.
        const { approval } = outcome;
        void import('./submitted.ts').then(({ notifySubmitted }) => notifySubmitted(client, approval));
      }
      onDone?.(outcome);
    },
    // Also after a refusal, which usually means that the displayed data was stale.
    onSettled: () => readAgainAfter(client, call),
  });
  const submit = useCallback((input: InputOf<C>, key: string) => mutateAsync({ input, key }), [mutateAsync]);
  return { submit, pending: isPending };
}
