import { type UserSwitch, user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { useMemo } from 'react';
import { switchQuestion } from './words.ts';
import { type Outcome, useAction } from '../../../api/hooks.ts';
import { runWithToast } from '../../../api/run-with-toast.ts';
import type { DisplayError } from '../../../ui/value/display-error.ts';

/** `key` is the idempotency key. Resolves to the error that the call ended with. */
export type ToggleSwitch = (row: UserRow, field: UserSwitch, key: string) => Promise<DisplayError | undefined>;

/** Returns the call that toggles a switch of a user. */
export function useToggleSwitch(): ToggleSwitch {
  const { submit: enable } = useAction(user.enable);
  const { submit: disable } = useAction(user.disable);
  const { submit: tradeOpen } = useAction(user.tradeOpen);
  const { submit: tradeClose } = useAction(user.tradeClose);
  const { submit: ieoSellOpen } = useAction(user.ieoSellOpen);
  const { submit: ieoSellClose } = useAction(user.ieoSellClose);
  const { submit: ieoBuy } = useAction(user.ieoBuy);
  const { submit: ai } = useAction(user.ai);

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
