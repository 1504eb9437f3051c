import { ABILITY } from '@hengtai/contract/ability';
import type { FutureRow } from '@hengtai/contract/future.schema';
import { type ReactNode, Suspense, lazy, useState } from 'react';
import { useCan } from '../../api/me.ts';
import { CancelDialog } from './CancelDialog.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import type { FutureDeed } from './words.ts';

const ExpectDialog = lazy(async () => ({ default: (await import('./ExpectDialog.tsx')).ExpectDialog }));

/** What can be done about one order or its user, on every page that shows orders. */
export interface FutureDeeds {
  able: boolean;
  ask: (deed: FutureDeed, row: FutureRow) => void;
  /** Shows how these users stand. */
  expect: (userIds: readonly number[]) => void;
  dialogs: ReactNode;
}

export function useDeeds(): FutureDeeds {
  const able = useCan(ABILITY.orders);
  const [asked, setAsked] = useState<{ deed: FutureDeed; row: FutureRow }>();
  const [users, setUsers] = useState<readonly number[]>();
  const done = () => setAsked(undefined);
  return {
    able,
    ask: (deed, row) => setAsked({ deed, row }),
    expect: (userIds) => setUsers([...new Set(userIds)]),
    dialogs: (
      <>
        {asked?.deed === 'cancel' && <CancelDialog row={asked.row} onClose={done} />}
        {asked?.deed === 'close' && <CloseDialog row={asked.row} onClose={done} />}
        <Suspense fallback={null}>
          {users && <ExpectDialog userIds={users} onClose={() => setUsers(undefined)} />}
        </Suspense>
      </>
    ),
  };
}
