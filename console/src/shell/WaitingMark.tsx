import { approval } from '@hengtai/contract/approval';
import type { ApprovalOpen } from '@hengtai/contract/approval.schema';
import { type ReactNode, createContext, use, useMemo } from 'react';
import { useRead } from '../api/hooks.ts';
import { PageLink } from './PageLink.tsx';

type Waiting = ReadonlyMap<number, readonly ApprovalOpen[]>;

const WaitingContext = createContext<Waiting>(new Map());
const EVERY_MS = 15_000;
const MOST = 200;

interface Props {
  targetType: string;
  /** The rows in sight, and the one in the drawer. */
  ids: readonly (number | undefined)[];
  children: ReactNode;
}

/** Knows which of a page's rows wait for a second person; `WaitingMark` inside says so at the row. */
export function WaitingMarks({ targetType, ids, children }: Props) {
  const known = [...new Set(ids.filter((id) => id !== undefined))].toSorted((a, b) => a - b).slice(0, MOST);
  const { data } = useRead(
    approval.open,
    { targetType, ids: known },
    { enabled: known.length > 0, every: EVERY_MS, keepPrevious: true, staleTime: EVERY_MS / 3 },
  );
  const waiting = useMemo(() => {
    const found = new Map<number, ApprovalOpen[]>();
    for (const one of data ?? []) found.set(one.targetId, [...(found.get(one.targetId) ?? []), one]);
    return found;
  }, [data]);
  return <WaitingContext value={waiting}>{children}</WaitingContext>;
}

/** 待复核 beside what waits for a second person, with the way to the request for those who may read it. */
export function WaitingMark({ id }: { id: number }) {
  const open = use(WaitingContext).get(id);
  const [first] = open ?? [];
  if (!open || !first) return null;
  const what = `待复核：${open.map(({ title }) => title).join('、')}`;
  const mark = <span className="sh-waiting">待复核</span>;
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
