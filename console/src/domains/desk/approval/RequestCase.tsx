import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import { Suspense } from 'react';
import { Skeleton } from '../../../lists/review-flow.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { BesideContext } from '../../../navigation/beside.ts';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { CaseLayout, CaseRequestContext } from '../../../records/CaseLayout.tsx';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';
import { Countdown } from '../../../ui/value/Countdown.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { CustomerDetails } from '../../people/user/exported/CustomerDetails.tsx';
import { ApprovalContent } from './ApprovalContent.tsx';
import { RequestSection } from './RequestSection.tsx';
import { recordCases } from './exported/record-cases.tsx';
import { caseTypeOf } from './record-kinds.ts';
import { approvalSteps } from './steps.tsx';

// On demand, as the cases of records.
const MoneyTimeline = lazyComponent(
  async () => (await import('../../funds/withdraw/exported/MoneyTimeline.tsx')).MoneyTimeline,
);

interface Props {
  detail: ApprovalDetail;
  /** The operator made the request. */
  isMaker: boolean;
  /** The operator may read the audit log. */
  hasAudit: boolean;
}

/** A request as the case of its record, below who asks for what; of other records what the request itself knows. */
export function RequestCase({ detail, isMaker, hasAudit }: Props) {
  const { row, user, votes } = detail;
  const type = caseTypeOf(detail);
  const customer = user && <CustomerDetails user={user} />;
  return (
    <CaseRequestContext
      value={{
        id: row.id,
        strip: <Strip detail={detail} />,
        steps: approvalSteps(row, votes),
        // The case of the record shows the current state of the target itself.
        content: <ApprovalContent detail={type ? { ...detail, now: [] } : detail} />,
        end: <RequestSection detail={detail} isMaker={isMaker} hasAudit={hasAudit} />,
      }}
    >
      {type ? (
        <Suspense fallback={<Skeleton />}>{recordCases[type]({ id: row.targetId, customer })}</Suspense>
      ) : (
        <CaseLayout
          head={<Amount detail={detail} />}
          steps={[]}
          left={<UserTimeline detail={detail} />}
          right={customer}
        />
      )}
    </CaseRequestContext>
  );
}

/** Who asks for what, why, and how much time is left. The record itself is the case below. */
const Strip = ({ detail: { row } }: Pick<Props, 'detail'>) => (
  <dl className="ht-records-case-facts ht-approval-strip">
    <DetailItem label="申请">
      <b>{row.title}</b>{' '}
      <BesideContext value={undefined}>
        <TargetLink target={row} />
      </BesideContext>
    </DetailItem>
    <DetailItem label="提交人">
      {operatorDetail(row.maker)} <Time value={row.createdAt} near />
    </DetailItem>
    <DetailItem label="原因">{row.reason || '--'}</DetailItem>
    {row.state === APPROVAL.open && (
      <DetailItem label="时限">
        <Countdown until={row.expiresAt} />
      </DetailItem>
    )}
  </dl>
);

const Amount = ({ detail: { row } }: Pick<Props, 'detail'>) =>
  row.amount !== null && (
    <div className="ht-records-case-hero">
      <div className="ht-value-large">
        <Money value={row.amount} unit="USDT" digits={2} shortened />
      </div>
    </div>
  );

const UserTimeline = ({ detail: { row, timeline } }: Pick<Props, 'detail'>) =>
  timeline && (
    <Suspense>
      <MoneyTimeline events={timeline} underReview={row.targetType === 'withdraw' ? row.targetId : undefined} />
    </Suspense>
  );
