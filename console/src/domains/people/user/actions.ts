import { home } from '@hengtai/contract/desk/home/calls';
import { type UserSwitch, user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { useMemo } from 'react';
import { switchQuestion } from './words.ts';
import { type Outcome, useAction } from '../../../api/hooks.ts';
import { runWithToast } from '../../../api/run-with-toast.ts';
import type { DisplayError } from '../../../ui/value/display-error.ts';

/** Queries to invalidate after a change of a user. */
export const STALE = [user.list, user.detail, home.state];

export type ToggleSwitch = (row: UserRow, field: UserSwitch, key: string) => Promise<DisplayError | undefined>;

/** Returns the call that toggles a switch of a user. */
export function useToggleSwitch(): ToggleSwitch {
  const { submit: enable } = useAction(user.enable, { invalidate: STALE });
  const { submit: disable } = useAction(user.disable, { invalidate: STALE });
  const { submit: tradeOpen } = useAction(user.tradeOpen, { invalidate: STALE });
  const { submit: tradeClose } = useAction(user.tradeClose, { invalidate: STALE });
  const { submit: ieoSellOpen } = useAction(user.ieoSellOpen, { invalidate: STALE });
  const { submit: ieoSellClose } = useAction(user.ieoSellClose, { invalidate: STALE });
  const { submit: ieoBuy } = useAction(user.ieoBuy, { invalidate: STALE });
  const { submit: ai } = useAction(user.ai, { invalidate: STALE });

  return useMemo(() => {
    type Run = (id: number, to: 0 | 1, key: string) => Promise<Outcome<UserRow>>;
    const runs: Readonly<Record<UserSwitch, Run>> = {
      state: (id, to, key) => (to ? enable : disable)({ id }, key),
      trade: (id, to, key) => (to ? tradeOpen : tradeClose)({ id }, key),
      ieoSell: (id, to, key) => (to ? ieoSellOpen : ieoSellClose)({ id }, key),
      ieoBuy: (id, state, key) => ieoBuy({ id, state }, key),
      ai: (id, state, key) => ai({ userId: id, state }, key),
    };
    return (row, field, key) => {
      const to = row[field] === 1 ? 0 : 1;
      return runWithToast(
        () => runs[field](row.id, to, key),
        `已${switchQuestion(field, to, row.account).replace('？', '')}`,
      );
    };
  }, [enable, disable, tradeOpen, tradeClose, ieoSellOpen, ieoSellClose, ieoBuy, ai]);
}
