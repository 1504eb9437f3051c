import type { Call } from '@hengtai/contract/wire/endpoint';
import type { ReactNode } from 'react';
import { useRead } from '../api/hooks.ts';
import { QueryPlace } from '../api/QueryPlace.tsx';
import { Skeleton } from './review-flow.tsx';

const REFETCH_MS = 15_000;

/** Parameters of a case that another record shows as its own. */
export interface RecordCaseProps {
  id: number;
  /** The user, where the detail of the record does not have it. */
  customer: ReactNode;
}

interface Props<D> {
  /** The call of the review drawer of the record. */
  call: Call<{ id: number }, D>;
  id: number;
  children: (detail: D) => ReactNode;
}

/** The case of a record, read by the call of its own drawer. */
export function RecordCase<D>({ call, id, children }: Props<D>) {
  const query = useRead(call, { id }, { refetchMs: REFETCH_MS });
  return query.data ? (
    children(query.data)
  ) : (
    <QueryPlace query={query}>
      <Skeleton />
    </QueryPlace>
  );
}
