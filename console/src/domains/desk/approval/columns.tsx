import { APPROVAL_HOURS, approval } from '@hengtai/contract/desk/approval/calls';
import { approvalStates, APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { agentCell, operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { Countdown } from '../../../ui/value/Countdown.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { useZone } from '../../../ui/value/zone.ts';
import { permitText } from './permit.ts';

export const approvalTones: Readonly<Record<number, Tone>> = {
  [APPROVAL.open]: 'wait',
  [APPROVAL.passed]: 'good',
  [APPROVAL.failed]: 'bad',
};

const col = listColOf<ApprovalRow>()(approval.list.list.columns);

/** `1/2`: approvals given and required. Empty if one checker is enough. */
export const VoteCount = ({ row: { required, given } }: { row: Pick<ApprovalRow, 'required' | 'given'> }) =>
  required > 1 && (
    <span className="ht-approval-given" title={`需要 ${required} 名复核员，已有 ${given} 名通过`}>
      {given}/{required}
    </span>
  );

function AnswerText({ value, row }: { value: string; row: ApprovalRow }) {
  const zone = useZone();
  return textCell(value || (permitText(row, zone) ?? null));
}

export const approvalColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('state', {
    width: 96,
    render: (value, row) => (
      <>
        <StateTag state={value} labels={approvalStates} tones={approvalTones} />
        <VoteCount row={row} />
      </>
    ),
  }),
  col('title', { width: 116, render: textCell }),
  col('targetType', { width: 120, under: 'title', render: (_, row) => <TargetLink target={row} /> }),
  col('account', { width: 130, render: userCell }),
  col('amount', {
    width: 116,
    align: 'right',
    render: (value) => <Money value={value} digits={2} shortened />,
  }),
  col('maker', { width: 114, render: operatorCell }),
  col('reason', { width: 170, under: 'maker', render: textCell }),
  // As wide as the longest time that is left.
  col('createdAt', { width: 112, render: timeCell }),
  col('expiresAt', {
    width: 120,
    under: 'createdAt',
    render: (value, row) =>
      row.state === APPROVAL.open ? (
        <span title={`提交后 ${APPROVAL_HOURS} 小时内有效`}>
          <Countdown until={value} />
        </span>
      ) : (
        timeCell(value)
      ),
  }),
  col('checker', { width: 130, drawer: true, render: operatorCell }),
  col('answer', { width: 170, drawer: true, render: (value, row) => <AnswerText value={value} row={row} /> }),
  col('decidedAt', { width: 104, drawer: true, render: timeCell }),
  col('agent', { width: 130, hidden: true, render: agentCell }),
  col('userId', { width: 96, hidden: true }),
];
