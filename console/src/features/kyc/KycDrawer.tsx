import { type KycAction, kyc, kycStates } from '@hengtai/contract/kyc';
import type { KycRevealed, KycRow } from '@hengtai/contract/kyc.schema';
import { useRead } from '../../api/hooks.ts';
import { ReviewActions, ReviewDrawer } from '../../lists/ReviewDrawer.tsx';
import type { DrawerRequest } from '../../lists/ReviewPage.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Details, History } from './Details.tsx';
import { DocumentImages } from './DocumentImages.tsx';
import { kycTones } from './columns.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props extends DrawerRequest<KycRow, KycAction> {
  revealed: KycRevealed | undefined;
  onReveal: (row: KycRow) => void;
}

/** Review drawer of one submission. Keys: A passes, R rejects, V reveals name and number after a reason is given. */
export function KycDrawer({ id, hasAbility, left, revealed, onAct, onReveal, onClose }: Props) {
  const reading = useRead(kyc.detail, { id: id ?? 0 }, { enabled: id !== undefined, staleTime: 5000 });
  const detail = reading.data?.row.id === id ? reading.data : undefined;
  const row = detail?.row;
  const act = (action: KycAction) => {
    if (row && disabledReasonOf(action, row, hasAbility) === undefined) onAct(action, row);
  };
  const reveal = () => {
    if (row && hasAbility && !revealed) onReveal(row);
  };
  useKeys({ a: () => act('pass'), r: () => act('reject'), v: reveal }, id !== undefined);

  return (
    <ReviewDrawer
      id={id}
      noun="实名"
      state={row && <StateTag state={row.state} labels={kycStates} tones={kycTones} />}
      left={left}
      actions={
        row && (
          <ReviewActions
            words={actionLabels}
            disabledReasonOf={(action) => disabledReasonOf(action, row, hasAbility)}
            hints={{ pass: 'A', reject: 'R' }}
            onAct={act}
          />
        )
      }
      query={reading}
      onClose={onClose}
    >
      {detail && (
        <div className="ht-review">
          <DocumentImages key={detail.row.id} row={detail.row} hasAbility={hasAbility} />
          <Details detail={detail} revealed={revealed} hasAbility={hasAbility} onReveal={reveal} />
          <History detail={detail} />
        </div>
      )}
    </ReviewDrawer>
  );
}
