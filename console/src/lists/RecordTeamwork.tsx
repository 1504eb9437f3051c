import { ClaimNote } from './ClaimNote.tsx';
import { TeamworkHistory } from './TeamworkHistory.tsx';
import { TeamworkMenu } from './TeamworkMenu.tsx';
import { useCanReview } from './can-review.ts';
import { type ReviewTarget, useClaim } from './claims.ts';

/** Who works on the record of a plain drawer, and what was agreed about it. Holds the record while it is open. */
export function RecordTeamwork({ type, id }: ReviewTarget) {
  const canReview = useCanReview(type);
  const claim = useClaim(canReview ? type : undefined, id);
  return (
    <>
      {canReview && (
        <div className="ht-records-actions">
          <TeamworkMenu type={type} id={id} isWaiting={claim?.answer?.waiting ?? false} />
          <ClaimNote claim={claim} />
        </div>
      )}
      <TeamworkHistory type={type} id={id} />
    </>
  );
}
