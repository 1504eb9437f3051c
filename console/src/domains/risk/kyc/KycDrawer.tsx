import { KYC, type KycAction, kyc, kycStates } from '@hengtai/contract/risk/kyc/calls';
import type { KycRevealed, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { Suspense } from 'react';
import { ReviewDrawer } from '../../../lists/ReviewDrawer.tsx';
import type { DrawerRequest } from '../../../lists/ReviewPage.tsx';
import { CaseLayout } from '../../../records/CaseLayout.tsx';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';
import { hasScreening, obstacleReasonOf } from '../screening/exported/obstacle-reason.ts';
import { Details, Head } from './Details.tsx';
import { DocumentImages } from './DocumentImages.tsx';
import { KycTimeline } from './KycTimeline.tsx';
import { kycSteps } from './steps.tsx';
import { kycTones } from './columns.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

// On demand, because most submissions are not screened.
const ScreeningPanel = lazyComponent(
  async () => (await import('../screening/exported/ScreeningPanel.tsx')).ScreeningPanel,
);

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
      disabledReasonOf={(action, { row, screening }) =>
        disabledReasonOf(action, row, hasAbility) ?? (action === 'pass' ? obstacleReasonOf(screening) : undefined)
      }
      moreKeys={({ row }) => ({ v: () => reveal(row) })}
      flow={flow}
      onAct={(action, { row }) => onAct(action, row)}
      onClose={onClose}
    >
      {(detail) => (
        <CaseLayout
          head={<Head detail={detail} />}
          steps={kycSteps(detail.row)}
          left={
            <>
              <DocumentImages key={detail.row.id} row={detail.row} hasAbility={hasAbility} />
              {hasScreening(detail.screening) && (
                <Suspense>
                  <ScreeningPanel
                    type="auth"
                    id={detail.row.id}
                    screening={detail.screening}
                    disabledReason={disabledReasonOf('pass', detail.row, hasAbility)}
                  />
                </Suspense>
              )}
              <KycTimeline detail={detail} />
            </>
          }
          right={
            <Details detail={detail} revealed={revealed} hasAbility={hasAbility} onReveal={() => reveal(detail.row)} />
          }
        />
      )}
    </ReviewDrawer>
  );
}
