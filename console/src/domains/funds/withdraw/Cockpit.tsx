import { type WithdrawAction, withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { withdrawStates, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { ReviewDrawer } from '../../../lists/ReviewDrawer.tsx';
import type { DrawerRequest } from '../../../lists/ReviewPage.tsx';
import { withdrawTones } from '../../../records/state-tones.ts';
import { recordCases } from '../../desk/approval/exported/record-cases.tsx';
import { WithdrawCase } from './exported/WithdrawCase.tsx';
import { actionLabels, needsChecker, drawerDisabledReasonOf } from './actions.ts';

/** Review drawer of one withdrawal. */
export function Cockpit({ id, hasAbility, flow, onAct, onClose }: DrawerRequest<WithdrawRow, WithdrawAction>) {
  return (
    <ReviewDrawer
      call={withdraw.detail}
      id={id}
      noun="提现"
      type="withdraw"
      states={withdrawStates}
      tones={withdrawTones}
      waiting={WITHDRAW.review}
      words={actionLabels}
      related={recordCases}
      disabledReasonOf={(action, detail) => drawerDisabledReasonOf(action, detail, hasAbility)}
      needsChecker={needsChecker}
      flow={flow}
      onAct={(action, { row }) => onAct(action, row)}
      onClose={onClose}
    >
      {(detail) => <WithdrawCase detail={detail} hasAbility={hasAbility} />}
    </ReviewDrawer>
  );
}
