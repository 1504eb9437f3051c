import './table-skeleton.css';
import { useDeferredValue, useEffect, useState } from 'react';
import { Skeleton } from '../page/Skeleton.tsx';
import { HEAD_HEIGHT } from './density.ts';
import { widthsOf } from './table-columns.tsx';
import type { Columns } from './use-columns.ts';

/** True after the first paint, in a task of its own: the table is the largest part of the page. */
export function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setIsPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted;
}

interface FirstFrameProps<Row> {
  columns: Columns<Row>;
  actionsWidth: number | undefined;
  isSelectable: boolean;
  rows: number;
}

/** Skeleton of head and rows in the first frame, before the table. */
export function FirstFrame<Row>({ columns, actionsWidth, isSelectable, rows }: FirstFrameProps<Row>) {
  const visible = columns.placed.filter(({ shown }) => shown);
  return (
    <>
      <div className="ht-table-skeleton-head" style={{ height: HEAD_HEIGHT }} />
      <Skeleton rows={rows} widths={widthsOf(visible, actionsWidth, isSelectable)} />
    </>
  );
}

/** Rendering the first rows in time slices may take this long before they are rendered at once. */
const SLICES_MS = 200;

/**
 * Number of skeleton rows. The skeleton stays until the first rows have been rendered, which happens in time slices.
 * Other updates restart that work, so it has a deadline.
 */
export function useSkeleton(skeleton: number): number {
  const deferred = useDeferredValue(skeleton);
  const [isOverdue, setIsOverdue] = useState(false);
  if (isOverdue && skeleton > 0) setIsOverdue(false);
  const isWaiting = skeleton === 0 && deferred > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setIsOverdue(true), SLICES_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return skeleton || (isOverdue ? 0 : deferred);
}
