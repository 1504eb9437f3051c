import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { useZone } from '../../../ui/value/zone.ts';
import { MakerActions } from './MakerActions.tsx';
import { checkersText } from './actions.ts';
import { permitText } from './permit.ts';

interface Props {
  detail: ApprovalDetail;
  /** The operator made the request. */
  isMaker: boolean;
  /** The operator may read the audit log. */
  hasAudit: boolean;
}

/** Who can check the request until when, its answer, and what its maker can do. */
export function RequestSection({ detail, isMaker, hasAudit }: Props) {
  const { row, checkers } = detail;
  const isOpen = row.state === APPROVAL.open;
  const permit = permitText(row, useZone());
  return (
    <Section
      title="复核"
      more={
        <>
          {isMaker && <MakerActions detail={detail} />}
          {hasAudit && <PageLink to={`/audit?targetType=approval&targetId=${row.id}`}>审计记录</PageLink>}
        </>
      }
    >
      <dl className="ht-value-details">
        {isOpen && (
          <DetailItem label="可复核" wide>
            {checkersText(checkers)}
          </DetailItem>
        )}
        <TimeItem label={isOpen ? '过期时间' : '结束时间'} wide value={row.expiresAt} />
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
          <Hash value={row.hash} what="内容指纹" />
        </DetailItem>
      </dl>
    </Section>
  );
}

/** What the answer of a request is: why it ended, or what its checker wrote. */
function answerLabelOf({ state }: ApprovalRow): string {
  if (state === APPROVAL.failed) return '失败原因';
  if (state === APPROVAL.expired) return '结束原因';
  return state === APPROVAL.cancelled ? '撤回原因' : '复核意见';
}
