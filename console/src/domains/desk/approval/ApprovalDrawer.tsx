import { approval } from '@hengtai/contract/desk/approval/calls';
import { approvalStates, APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { useEffect, useEffectEvent } from 'react';
import { ReviewDrawer } from '../../../lists/ReviewDrawer.tsx';
import type { ReviewFlow } from '../../../lists/review-flow.tsx';
import { recordCases } from './exported/record-cases.tsx';
import { RequestCase } from './RequestCase.tsx';
import { VoteCount, approvalTones } from './columns.tsx';
import { prefetchRecord } from './record-kinds.ts';
import { type Decider, type Decision, decisionWords, disabledReasonOf } from './actions.ts';

interface Props {
  id: number | undefined;
  /** Its row, if the list has it. */
  row: ApprovalRow | undefined;
  decider: Decider;
  /** The operator may read the audit log, to which the drawer links. */
  hasAudit: boolean;
  flow: ReviewFlow;
  onAct: (decision: Decision, row: ApprovalRow) => void;
  onClose: () => void;
}

/** Review drawer of one request. */
export function ApprovalDrawer({ id, row, decider, hasAudit, flow, onAct, onClose }: Props) {
  const prefetchNow = useEffectEvent((now: number | undefined) => {
    if (row && row.id === now) prefetchRecord(row);
  });
  useEffect(() => prefetchNow(id), [id]);
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
      related={recordCases}
      disabledReasonOf={reasonFor}
      queueName="复核队列"
      flow={flow}
      renderHead={({ row }) => <VoteCount row={row} />}
      renderFootNote={(detail) => {
        const why = reasonFor('pass', detail);
        return why !== undefined && <span className="ht-approval-why">{why}</span>;
      }}
      onAct={(decision, { row }) => onAct(decision, row)}
      onClose={onClose}
    >
      {(detail) => <RequestCase detail={detail} isMaker={detail.row.maker === decider.account} hasAudit={hasAudit} />}
    </ReviewDrawer>
  );
}
