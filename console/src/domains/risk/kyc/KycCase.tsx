import type { KycDetail, KycRevealed } from '@hengtai/contract/risk/kyc/schema';
import { Suspense } from 'react';
import { CaseLayout } from '../../../records/CaseLayout.tsx';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';
import { hasScreening } from '../screening/exported/obstacle-reason.ts';
import { Details, Head } from './Details.tsx';
import { DocumentImages } from './DocumentImages.tsx';
import { KycTimeline } from './KycTimeline.tsx';
import { disabledReasonOf } from './actions.ts';
import { kycSteps } from './steps.tsx';

// On demand, because most submissions are not screened.
const ScreeningPanel = lazyComponent(
  async () => (await import('../screening/exported/ScreeningPanel.tsx')).ScreeningPanel,
);

interface Props {
  detail: KycDetail;
  hasAbility: boolean;
  revealed: KycRevealed | undefined;
  onReveal: () => void;
}

/** One submission with everything needed to decide it. */
export const KycCase = ({ detail, hasAbility, revealed, onReveal }: Props) => (
  <CaseLayout
    head={<Head detail={detail} />}
    steps={kycSteps(detail)}
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
    right={<Details detail={detail} revealed={revealed} hasAbility={hasAbility} onReveal={onReveal} />}
  />
);
