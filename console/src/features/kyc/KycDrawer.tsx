import { type KycAction, kyc, kycStates } from '@hengtai/contract/kyc';
import type { KycRevealed, KycRow } from '@hengtai/contract/kyc.schema';
import { ReviewDrawer } from '../../lists/ReviewDrawer.tsx';
import type { DrawerRequest } from '../../lists/ReviewPage.tsx';
import { Details, History } from './Details.tsx';
import { DocumentImages } from './DocumentImages.tsx';
import { kycTones } from './columns.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props extends DrawerRequest<KycRow, KycAction> {
  revealed: KycRevealed | undefined;
  onReveal: (row: KycRow) => void;
}

/** Review drawer of one submission. The key V reveals name and number after a reason is given. */
export function KycDrawer({ id, hasAbility, left, revealed, onAct, onReveal, onClose }: Props) {
  const reveal = (row: KycRow) => {
    if (hasAbility && !revealed) onReveal(row);
  };
  return (
    <ReviewDrawer
      call={kyc.detail}
      id={id}
      noun="实名"
      states={kycStates}
      tones={kycTones}
      words={actionLabels}
      disabledReasonOf={(action, { row }) => disabledReasonOf(action, row, hasAbility)}
      moreKeys={({ row }) => ({ v: () => reveal(row) })}
      left={left}
      onAct={(action, { row }) => onAct(action, row)}
      onClose={onClose}
    >
      {(detail) => (
        <div className="ht-review">
          <DocumentImages key={detail.row.id} row={detail.row} hasAbility={hasAbility} />
          <Details detail={detail} revealed={revealed} hasAbility={hasAbility} onReveal={() => reveal(detail.row)} />
          <History detail={detail} />
        </div>
      )}
    </ReviewDrawer>
  );
}
