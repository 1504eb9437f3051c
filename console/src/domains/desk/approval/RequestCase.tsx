import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { Suspense } from 'react';
import { Skeleton } from '../../../lists/review-flow.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { BesideContext } from '../../../navigation/beside.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { CaseLayout, CaseRequestContext } from '../../../records/CaseLayout.tsx';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';
import { Countdown } from '../../../ui/value/Countdown.tsx';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { useZone } from '../../../ui/value/zone.ts';
import { CustomerDetails } from '../../people/user/exported/CustomerDetails.tsx';
import { ApprovalContent } from './ApprovalContent.tsx';
import { MakerActions } from './MakerActions.tsx';
import { checkersText } from './actions.ts';
import { permitText } from './permit.ts';
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
        strip: <Strip detail={detail} isMaker={isMaker} hasAudit={hasAudit} />,
        steps: approvalSteps(row, votes),
        // The case of the record shows the current state of the target itself.
        content: <ApprovalContent detail={type ? { ...detail, now: [] } : detail} />,
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

/** Who asks for what, why, how much time is left, and who may check it. The record itself is the case below. */
function Strip({ detail, isMaker, hasAudit }: Props) {
  const { row, checkers } = detail;
  const isOpen = row.state === APPROVAL.open;
  const permit = permitText(row, useZone());
  return (
    <div className="ht-approval-strip">
      <dl className="ht-records-case-facts">
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
        {isOpen ? (
          <>
            <DetailItem label="时限">
              <Countdown until={row.expiresAt} />
            </DetailItem>
            <DetailItem label="可复核">{checkersText(checkers)}</DetailItem>
          </>
        ) : (
          <TimeItem label="结束时间" value={row.expiresAt} />
        )}
        {permit !== undefined && <DetailItem label="准许">{permit}</DetailItem>}
        {row.answer && <DetailItem label={answerLabelOf(row)}>{row.answer}</DetailItem>}
        <DetailItem label="内容指纹">
          <Hash value={row.hash} label="内容指纹" />
        </DetailItem>
      </dl>
      {isMaker && <MakerActions detail={detail} />}
      {hasAudit && <PageLink to={`/audit?targetType=approval&targetId=${row.id}`}>审计记录</PageLink>}
    </div>
  );
}

/** What the answer of a request is: why it ended, or what its checker wrote. */
function answerLabelOf({ state }: ApprovalRow): string {
  if (state === APPROVAL.failed) return '失败原因';
  if (state === APPROVAL.expired) return '结束原因';
  return state === APPROVAL.cancelled ? '撤回原因' : '复核意见';
}

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
