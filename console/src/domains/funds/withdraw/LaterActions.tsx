import type { WithdrawAction } from '@hengtai/contract/funds/withdraw/calls';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { MoreActions } from '../../../ui/dialog/MoreActions.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props {
  row: WithdrawRow;
  hasAbility: boolean;
  onAct: (action: WithdrawAction) => void;
}

const LATER: readonly WithdrawAction[] = ['recall', 'retry', 'refund', 'resolve'];

/** The actions after the review. */
export const LaterActions = ({ row, hasAbility, onAct }: Props) => (
  <MoreActions
    label={`提现 ${row.id} 的更多操作`}
    actions={LATER.map((action) => ({
      key: action,
      label: actionLabels[action].short,
      disabledReason: disabledReasonOf(action, row, hasAbility),
    }))}
    onAction={(key) => onAct(key as WithdrawAction)}
  />
);
