import { approval } from '@hengtai/contract/desk/approval/calls';
import { approvalStates, APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { Suspense } from 'react';
import { ReviewDrawer } from '../../../lists/ReviewDrawer.tsx';
import type { ReviewFlow } from '../../../lists/review-flow.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { CaseLayout } from '../../../records/CaseLayout.tsx';
import { Countdown } from '../../../ui/value/Countdown.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { ApprovalContent } from './ApprovalContent.tsx';
import { MakerActions } from './MakerActions.tsx';
import { VoteCount, approvalTones } from './columns.tsx';
import { type Decider, type Decision, checkersText, decisionWords, disabledReasonOf } from './actions.ts';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { useZone } from '../../../ui/value/zone.ts';
import { CustomerDetails } from '../../people/user/exported/CustomerDetails.tsx';
import { approvalSteps } from './steps.tsx';
import { permitText } from './permit.ts';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';

// On demand, because only approvals about a user have one.
const MoneyTimeline = lazyComponent(
  async () => (await import('../../funds/withdraw/exported/MoneyTimeline.tsx')).MoneyTimeline,
);

interface Props {
  id: number | undefined;
  decider: Decider;
  /** True if the operator may read the audit log, to which the drawer links. */
  drawer: boolean;
  flow: ReviewFlow;
  onAct: (decision: Decision, row: ApprovalRow) => void;
  onClose: () => void;
}

/** One request with its content and maker. */
export function ApprovalDrawer({ id, decider, drawer, flow, onAct, onClose }: Props) {
  const reasonFor = (decision: Decision, detail: ApprovalDetail) =>
    disabledReasonOf(decision, detail.row, decider, detail);
  return (
    <ReviewDrawer
      call={approval.detail}
      id={id}
      noun="复核"
      type="approval"
      every={15_000}
      states={approvalStates}
      tones={approvalTones}
      waiting={APPROVAL.open}
      words={decisionWords}
      disabledReasonOf={reasonFor}
      queueName="复核队列"
      flow={flow}
      renderHead={({ row }) => (
        <>
          <VoteCount row={row} />
          {row.state === APPROVAL.open && <Countdown until={row.expiresAt} />}
        </>
      )}
      renderFootNote={(detail) => {
        const why = reasonFor('pass', detail);
        return why !== undefined && <span className="ht-approval-why">{why}</span>;
      }}
      onAct={(decision, { row }) => onAct(decision, row)}
      onClose={onClose}
    >
      {(detail) => <Body detail={detail} drawer={drawer} isMaker={detail.row.maker === decider.account} />}
    </ReviewDrawer>
  );
}

function Body({ detail, drawer, isMaker }: { detail: ApprovalDetail; drawer: boolean; isMaker: boolean }) {
  const { row, checkers, user, timeline } = detail;
  const permit = permitText(row, useZone());
  return (
    <CaseLayout
      head={
        <div className="ht-records-case-hero">
          <p className="ht-approval-action">{row.title}</p>
          {row.amount !== null && (
            <div className="ht-value-large">
              <Money value={row.amount} unit="USDT" digits={2} rough />
            </div>
          )}
          <TargetLink target={row} />
        </div>
      }
      steps={approvalSteps(row)}
      left={
        <>
          <Section title="将执行的操作">
            <ApprovalContent detail={detail} />
          </Section>
          {timeline && (
            <Suspense>
              <MoneyTimeline events={timeline} underReview={row.targetType === 'withdraw' ? row.targetId : undefined} />
            </Suspense>
          )}
        </>
      }
      right={
        <>
          {user && <CustomerDetails user={user} />}
          <Section
            title="复核"
            more={
              <>
                {isMaker && <MakerActions detail={detail} />}
                {drawer && <PageLink to={`/audit?targetType=approval&targetId=${row.id}`}>审计记录</PageLink>}
              </>
            }
          >
            <dl className="ht-value-details">
              {row.state === APPROVAL.open && (
                <DetailItem label="可复核" wide>
                  {checkersText(checkers)}
                </DetailItem>
              )}
              <TimeItem label={row.state === APPROVAL.open ? '过期时间' : '结束时间'} wide value={row.expiresAt} />
              {permit !== undefined && (
                <DetailItem label="准许" wide>
                  {permit}
                </DetailItem>
              )}
              {row.answer && (
                <DetailItem label={answerLabelOf(row)} wide>
                  {row.answer}
                </DetailItem>
              )}
              <DetailItem label="内容指纹" wide>
                <Hash full value={row.hash} what="内容指纹" />
              </DetailItem>
            </dl>
          </Section>
        </>
      }
    />
  );
}

/** What the answer of a request is: why it ended, or what its checker wrote. */
function answerLabelOf({ state }: ApprovalRow): string {
  if (state === APPROVAL.failed) return '失败原因';
  if (state === APPROVAL.expired) return '结束原因';
  return state === APPROVAL.cancelled ? '撤回原因' : '复核意见';
}
