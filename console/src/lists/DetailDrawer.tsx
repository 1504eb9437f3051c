import type { ReactNode } from 'react';
import { toDisplayError } from '../api/display-error.ts';
import { ErrorState } from '../ui/list-states.tsx';
import { PageDrawer, type PageDrawerProps } from '../ui/PageDrawer.tsx';

interface QueryState<D> {
  data: D | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
}

interface Props<D> extends Pick<PageDrawerProps, 'open' | 'width' | 'title' | 'onClose'> {
  query: QueryState<D>;
  children: (detail: D) => ReactNode;
}

/** A page drawer for one loaded record: content, error or skeleton. */
export function DetailDrawer<D>({ query, children, ...drawer }: Props<D>) {
  return (
    <PageDrawer {...drawer}>
      {query.error && !query.data ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        children(query.data)
      ) : (
        <span className="ht-skeleton-line" />
      )}
    </PageDrawer>
  );
}
