import { notify } from '@hengtai/contract/notify';
import type { Fact } from '@hengtai/contract/notify.schema';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { useFacts, useLastFact, useNotifyMode } from '../../api/notify.ts';
import type { Fault } from '../../ui/fault.ts';

const LATEST = { size: 50 };
const SHOWN = 100;

export interface Feed {
  /** The latest first; undefined until they are known. */
  facts: readonly Fact[] | undefined;
  /** They arrive by themselves, as they happen. */
  live: boolean;
  fault: Fault | undefined;
  onRetry: () => void;
}

/** What happened in the operator's tree: from the window's one line, and read once where that has not begun. */
export function useFeed(): Feed {
  const told = useFacts();
  const known = useLastFact() !== null;
  const live = useNotifyMode() === 'live';
  const { data, error, refetch } = useRead(notify.facts, LATEST, { enabled: !known });
  const facts = known ? told.slice(0, SHOWN) : data?.list;
  return { facts, live, fault: !facts && error ? faultOf(error) : undefined, onRetry: () => void refetch() };
}
