import '../kyc.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { kyc } from '@hengtai/contract/risk/kyc/calls';
import type { KycDetail, KycRevealed } from '@hengtai/contract/risk/kyc/schema';
import { use, useState } from 'react';
import { useCan } from '../../../../api/me.ts';
import { RecordCase, type RecordCaseProps } from '../../../../lists/RecordCase.tsx';
import { CaseRequestContext } from '../../../../records/CaseLayout.tsx';
import { useKeys } from '../../../../ui/browser/keys.ts';
import { KycCase } from '../KycCase.tsx';
import { RevealDialog } from '../RevealDialog.tsx';

/**
 * The case of a submission inside a request about it, or beside another case. Without the ability, images and data stay hidden; V reveals data in a request.
 */
export const KycRecord = ({ id }: RecordCaseProps) => (
  <RecordCase call={kyc.detail} id={id}>
    {(detail) => <Submission key={detail.row.id} detail={detail} />}
  </RecordCase>
);

function Submission({ detail }: { detail: KycDetail }) {
  const hasAbility = useCan(ABILITY.identity);
  // Beside another case the key belongs to that.
  const isInRequest = use(CaseRequestContext) !== undefined;
  const [isRevealing, setIsRevealing] = useState(false);
  const [revealed, setRevealed] = useState<KycRevealed>();
  const reveal = () => {
    if (hasAbility && !revealed) setIsRevealing(true);
  };
  useKeys({ v: reveal }, isInRequest);
  return (
    <>
      <KycCase detail={detail} hasAbility={hasAbility} revealed={revealed} onReveal={reveal} />
      {isRevealing && (
        <RevealDialog
          row={detail.row}
          onClose={() => setIsRevealing(false)}
          onDone={(data) => {
            setIsRevealing(false);
            setRevealed(data);
          }}
        />
      )}
    </>
  );
}
