import { KYC, type KycAction, kyc, kycStates } from '@hengtai/contract/risk/kyc/calls';
import type { KycRevealed, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { ReviewDrawer } from '../../../lists/ReviewDrawer.tsx';
import type { DrawerRequest } from '../../../lists/ReviewPage.tsx';
import { recordCases } from '../../desk/approval/exported/record-cases.tsx';
import { obstacleReasonOf } from '../screening/exported/obstacle-reason.ts';
import { KycCase } from './KycCase.tsx';
import { kycTones } from './columns.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props extends DrawerRequest<KycRow, KycAction> {
  revealed: KycRevealed | undefined;
  onReveal: (row: KycRow) => void;
}

/** Review drawer of one submission. The key V reveals name and number after a reason is given. */
export function KycDrawer({ id, hasAbility, flow, revealed, onAct, onReveal, onClose }: Props) {
  const reveal = (row: KycRow) => {
    if (hasAbility && !revealed) onReveal(row);
  };
  return (
    <ReviewDrawer
      call={kyc.detail}
      id={id}
      noun="实名"
      type="auth"
      states={kycStates}
      tones={kycTones}
      waiting={KYC.waiting}
      words={actionLabels}
      related={recordCases}
      disabledReasonOf={(action, { row, screening }) =>
        disabledReasonOf(action, row, hasAbility) ?? (action === 'pass' ? obstacleReasonOf(screening) : undefined)
      }
      moreKeys={({ row }) => ({ v: () => reveal(row) })}
      flow={flow}
      onAct={(action, { row }) => onAct(action, row)}
      onClose={onClose}
    >
      {(detail) => (
        <KycCase detail={detail} hasAbility={hasAbility} revealed={revealed} onReveal={() => reveal(detail.row)} />
      )}
    </ReviewDrawer>
  );
}
