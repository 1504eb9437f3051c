import type { ReactNode } from 'react';
import { ErrorLine, ErrorState } from '../ui/table/list-states.tsx';
import { toDisplayError } from './display-error.ts';

/** The part of a query that its place needs while there is no data. */
export interface QueryState {
  error: unknown;
  refetch: () => Promise<unknown>;
}

interface Props {
  query: QueryState;
  /** One line instead of a drawing. */
  isSmall?: boolean;
  /** What is shown while the query loads. */
  children?: ReactNode;
}

/** In place of what a query has not loaded: its skeleton, or after a failure the reason and 重试. */
export function QueryPlace({ query, isSmall = false, children }: Props) {
  if (!query.error) return children;
  const Failure = isSmall ? ErrorLine : ErrorState;
  return <Failure error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />;
}
