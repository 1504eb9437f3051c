import { support } from '@hengtai/contract/desk/support/calls';
import type { SupportMessage } from '@hengtai/contract/desk/support/schema';
import { useCallback, useRef, useState } from 'react';
import { send } from '../../../api/client.ts';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { type LoadedThread, mergeNewest, mergeOlder, mergeSent } from './thread.ts';

const PAGE_SIZE = 50;
/** Refresh intervals without notifications: while a message is being delivered, and otherwise. */
const DELIVERY_REFETCH_MS = 2_000;
const REFETCH_MS = 15_000;

export interface Thread {
  list: readonly SupportMessage[];
  more: boolean;
  /** True until the first page is loaded. */
  pending: boolean;
  error: DisplayError | undefined;
  refetch: () => void;
  older: () => Promise<void>;
  add: (message: SupportMessage) => void;
}

/** The messages of one conversation. The newest are kept up to date, older ones are loaded on request. */
export function useThread(id: number | undefined, active: boolean): Thread {
  const [loaded, setLoaded] = useState<LoadedThread>();
  const [mergedPage, setMergedPage] = useState<unknown>();
  const [isDelivering, setDelivering] = useState(false);
  const isLoadingOlder = useRef(false);
  const { data, error, refetch, isPlaceholderData } = useRead(
    support.messages,
    id === undefined ? undefined : { id, size: PAGE_SIZE },
    { refetchMs: active && (isDelivering ? DELIVERY_REFETCH_MS : REFETCH_MS) },
  );
  if (id !== undefined && data && data !== mergedPage && !isPlaceholderData) {
    setMergedPage(data);
    setLoaded(mergeNewest(loaded, id, data));
    setDelivering(data.list.some(({ delivery }) => delivery === 0 || delivery === 1));
  }
  const current = loaded && loaded.id === id ? loaded : undefined;

  const older = useCallback(async () => {
    const first = current?.list[0];
    if (!current?.more || !first || isLoadingOlder.current) return;
    isLoadingOlder.current = true;
    try {
      const answer = await send(support.messages, { id: current.id, before: first.id, size: PAGE_SIZE });
      setLoaded((now) => (now?.id === current.id && now.list[0]?.id === first.id ? mergeOlder(now, answer.data) : now));
    } catch (error) {
      toast.error(toDisplayError(error).msg);
    } finally {
      isLoadingOlder.current = false;
    }
  }, [current]);
  const add = useCallback((message: SupportMessage) => {
    setLoaded((now) => mergeSent(now, message));
    setDelivering(true);
  }, []);
  return {
    list: current?.list ?? NO_MESSAGES,
    more: current?.more ?? false,
    pending: current === undefined,
    error: error && !current ? toDisplayError(error) : undefined,
    refetch: useCallback(() => void refetch(), [refetch]),
    older,
    add,
  };
}

const NO_MESSAGES: readonly SupportMessage[] = [];
