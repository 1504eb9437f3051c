import type { ReactNode } from 'react';
import { QueryPlace, type QueryState } from '../api/QueryPlace.tsx';
import { PageDrawer, type PageDrawerProps } from '../ui/dialog/PageDrawer.tsx';

interface Props<D> extends Pick<PageDrawerProps, 'open' | 'width' | 'title' | 'footer' | 'onClose'> {
  query: QueryState & { data: D | undefined };
  children: (detail: D) => ReactNode;
}

/** A page drawer for one loaded record: content, error or skeleton. */
export function DetailDrawer<D>({ query, children, ...drawer }: Props<D>) {
  return (
    <PageDrawer {...drawer}>
      {query.data ? (
        children(query.data)
      ) : (
        <QueryPlace query={query}>
          <span className="ht-page-skeleton-line" />
        </QueryPlace>
      )}
    </PageDrawer>
  );
}
