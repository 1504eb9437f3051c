import './waiting-mark.css';
import { approval } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalOpen } from '@hengtai/contract/desk/approval/schema';
import { type ReactNode, createContext, use, useMemo } from 'react';
import { useRead } from '../api/hooks.ts';
import { PageLink } from '../navigation/PageLink.tsx';

type OpenApprovals = ReadonlyMap<number, readonly ApprovalOpen[]>;

const WaitingContext = createContext<OpenApprovals>(new Map());
const REFETCH_MS = 15_000;
const IDS_MAX = 200;

interface Props {
  targetType: string;
  /** Ids of the displayed rows and of the open record. */
  ids: readonly (number | undefined)[];
  children: ReactNode;
}

/** Loads which rows of a page wait for a second person; `WaitingMark` shows it. */
export function WaitingMarks({ targetType, ids, children }: Props) {
  const sortedIds = [...new Set(ids.filter((id) => id !== undefined))].toSorted((a, b) => a - b).slice(0, IDS_MAX);
  const { data } = useRead(
    approval.open,
    { targetType, ids: sortedIds },
    { enabled: sortedIds.length > 0, refetchMs: REFETCH_MS, keepPrevious: true, staleTime: REFETCH_MS / 3 },
  );
  const waiting = useMemo(() => {
    const byTarget = new Map<number, ApprovalOpen[]>();
    for (const row of data ?? []) byTarget.set(row.targetId, [...(byTarget.get(row.targetId) ?? []), row]);
    return byTarget;
  }, [data]);
  return <WaitingContext value={waiting}>{children}</WaitingContext>;
}

/** The ids that wait for a second person. */
export const useWaitingIds = (): number[] => [...use(WaitingContext).keys()];

/** 待复核 tag of a row that waits for a second person, linked to the request if the operator may read it. */
export function WaitingMark({ id }: { id: number }) {
  const open = use(WaitingContext).get(id);
  const [first] = open ?? [];
  if (!open || !first) return null;
  const what = `待复核：${open.map(({ title }) => title).join('、')}`;
  const mark = <span className="ht-actions-waiting">待复核</span>;
  return (
    <span title={what}>
      {first.readable ? (
        <PageLink to={`/approval?open=${first.id}`} label={what}>
          {mark}
        </PageLink>
      ) : (
        mark
      )}
    </span>
  );
}
