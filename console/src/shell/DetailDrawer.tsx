import type { ReactNode } from 'react';
import { toDisplayError } from '../api/display-error.ts';
import { ErrorState } from '../ui/list-states.tsx';
import { PageDrawer, type PageDrawerProps } from '../ui/PageDrawer.tsx';

interface Found<D> {
  data: D | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
}

interface Props<D> extends Pick<PageDrawerProps, 'open' | 'width' | 'title' | 'onClose'> {
  found: Found<D>;
  children: (detail: D) => ReactNode;
}

/** A drawer about one thing that is read: what is known of it, why it is not, or that it is on its way. */
export function DetailDrawer<D>({ found, children, ...drawer }: Props<D>) {
  return (
    <PageDrawer {...drawer}>
      {found.error && !found.data ? (
        <ErrorState error={toDisplayError(found.error)} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        children(found.data)
      ) : (
        <span className="ht-skeleton-line" />
      )}
    </PageDrawer>
  );
}
