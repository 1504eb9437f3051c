import { notify } from '@hengtai/contract/notify';
import type { Fact } from '@hengtai/contract/notify.schema';
import type { Fault } from '../../ui/fault.ts';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { usePageActive } from '../../shell/page-route.ts';

const LATEST = { size: 50 };
const EVERY_MS = 5_000;

export interface Feed {
  /** The latest first; undefined until they are known. */
  facts: readonly Fact[] | undefined;
  fault: Fault | undefined;
  onRetry: () => void;
}

/** What happened in the operator's tree. */
export function useFeed(): Feed {
  const active = usePageActive();
  const { data, error, refetch } = useRead(notify.facts, LATEST, { every: active && EVERY_MS });
  return {
    facts: data?.list,
    fault: !data && error ? faultOf(error) : undefined,
    onRetry: () => void refetch(),
  };
}
