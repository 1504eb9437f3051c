import { ABILITY } from '@hengtai/contract/ability';
import type { FutureRow } from '@hengtai/contract/future.schema';
import { type ReactNode, Suspense, lazy, useState } from 'react';
import { useCan } from '../../api/me.ts';
import { CancelDialog } from './CancelDialog.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import type { FutureAction } from './words.ts';

const ExpectDialog = lazy(async () => ({ default: (await import('./ExpectDialog.tsx')).ExpectDialog }));

/** What can be done about one order or its user, on every page that shows orders. */
export interface FutureActions {
  able: boolean;
  ask: (action: FutureAction, row: FutureRow) => void;
  /** Shows how these users stand. */
  expect: (userIds: readonly number[]) => void;
  dialogs: ReactNode;
}

export function useFutureActions(): FutureActions {
  const able = useCan(ABILITY.orders);
  const [asked, setAsked] = useState<{ action: FutureAction; row: FutureRow }>();
  const [users, setUsers] = useState<readonly number[]>();
  const done = () => setAsked(undefined);
  return {
    able,
    ask: (action, row) => setAsked({ action, row }),
    expect: (userIds) => setUsers([...new Set(userIds)]),
    dialogs: (
      <>
        {asked?.action === 'cancel' && <CancelDialog row={asked.row} onClose={done} />}
        {asked?.action === 'close' && <CloseDialog row={asked.row} onClose={done} />}
        <Suspense fallback={null}>
          {users && <ExpectDialog userIds={users} onClose={() => setUsers(undefined)} />}
        </Suspense>
      </>
    ),
  };
}
