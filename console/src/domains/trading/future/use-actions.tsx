import { ABILITY } from '@hengtai/contract/authority/ability';
import type { FutureRow } from '@hengtai/contract/trading/future/schema';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../../api/me.ts';
import { OrderDialog } from './OrderDialog.tsx';
import type { FutureAction } from './words.ts';
import { dialogOnDemand } from '../../../ui/page/on-demand.tsx';

const ExpectDialog = dialogOnDemand(async () => (await import('./ExpectDialog.tsx')).ExpectDialog);

/** The actions on an order or its user, shared by all pages that list orders. */
export interface FutureActions {
  hasAbility: boolean;
  ask: (action: FutureAction, row: FutureRow) => void;
  /** Opens the risk dialog of these users. */
  expect: (userIds: readonly number[]) => void;
  dialogs: ReactNode;
}

export function useFutureActions(): FutureActions {
  const hasAbility = useCan(ABILITY.orders);
  const [dialog, setDialog] = useState<{ action: FutureAction; row: FutureRow }>();
  const [users, setUsers] = useState<readonly number[]>();
  return {
    hasAbility,
    ask: (action, row) => setDialog({ action, row }),
    expect: (userIds) => setUsers([...new Set(userIds)]),
    dialogs: (
      <>
        {dialog && <OrderDialog {...dialog} onClose={() => setDialog(undefined)} />}
        {users && <ExpectDialog userIds={users} onClose={() => setUsers(undefined)} />}
      </>
    ),
  };
}
