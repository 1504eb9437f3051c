import type { ReactNode } from 'react';
import { faultOf } from '../api/fault.ts';
import { FaultState } from '../ui/list-states.tsx';
import { Reader, type ReaderProps } from '../ui/Reader.tsx';

interface Found<D> {
  data: D | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
}

interface Props<D> extends Pick<ReaderProps, 'open' | 'width' | 'title' | 'onClose'> {
  found: Found<D>;
  children: (detail: D) => ReactNode;
}

/** A drawer about one thing that is read: what is known of it, why it is not, or that it is on its way. */
export function DetailReader<D>({ found, children, ...reader }: Props<D>) {
  return (
    <Reader {...reader}>
      {found.error && !found.data ? (
        <FaultState fault={faultOf(found.error)} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        children(found.data)
      ) : (
        <span className="ht-bone" />
      )}
    </Reader>
  );
}
