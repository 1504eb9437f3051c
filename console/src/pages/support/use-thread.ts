import { support } from '@hengtai/contract/support';
import type { SupportMessage } from '@hengtai/contract/support.schema';
import { useCallback, useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import { toDisplayError } from '../../api/display-error.ts';
import { useRead } from '../../api/hooks.ts';
import { toast } from '../../api/toast.ts';
import type { DisplayError } from '../../ui/display-error.ts';
import { type Known, withNewest, withOlder, withSent } from './thread.ts';

const SIZE = 50;
/** How often the newest are read again without any news: while something is on its way, and otherwise. */
const SOON_MS = 2_000;
const SELDOM_MS = 15_000;

export interface Thread {
  list: readonly SupportMessage[];
  more: boolean;
  /** Before the first answer. */
  pending: boolean;
  error: DisplayError | undefined;
  refetch: () => void;
  older: () => Promise<void>;
  add: (message: SupportMessage) => void;
}

/** The messages of one conversation: the newest in step with the server, older ones as they are asked for. */
export function useThread(id: number | undefined, active: boolean): Thread {
  const [known, setKnown] = useState<Known>();
  const [taken, setTaken] = useState<unknown>();
  const [underWay, setUnderWay] = useState(false);
  const reading = useRef(false);
  const { data, error, refetch, isPlaceholderData } = useRead(
    support.messages,
    { id: id ?? 0, size: SIZE },
    { enabled: id !== undefined, every: active && (underWay ? SOON_MS : SELDOM_MS) },
  );
  if (id !== undefined && data && data !== taken && !isPlaceholderData) {
    setTaken(data);
    setKnown(withNewest(known, id, data));
    setUnderWay(data.list.some(({ delivery }) => delivery === 0 || delivery === 1));
  }
  const shown = known && known.id === id ? known : undefined;

  const older = useCallback(async () => {
    const first = shown?.list[0];
    if (!shown?.more || !first || reading.current) return;
    reading.current = true;
    try {
      const answer = await send(support.messages, { id: shown.id, before: first.id, size: SIZE });
      setKnown((now) => (now?.id === shown.id && now.list[0]?.id === first.id ? withOlder(now, answer.data) : now));
    } catch (error) {
      toast.error(toDisplayError(error).msg);
    } finally {
      reading.current = false;
    }
  }, [shown]);
  const add = useCallback((message: SupportMessage) => {
    setKnown((now) => withSent(now, message));
    setUnderWay(true);
  }, []);
  return {
    list: shown?.list ?? NONE,
    more: shown?.more ?? false,
    pending: shown === undefined,
    error: error && !shown ? toDisplayError(error) : undefined,
    refetch: useCallback(() => void refetch(), [refetch]),
    older,
    add,
  };
}

const NONE: readonly SupportMessage[] = [];
