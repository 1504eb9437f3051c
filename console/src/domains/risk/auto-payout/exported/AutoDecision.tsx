import './auto-decision.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { autoReasons } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoDecision as Decision } from '@hengtai/contract/risk/auto-payout/schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { useState } from 'react';
import { useCan } from '../../../../api/me.ts';
import { operatorDetail } from '../../../../navigation/account-cells.tsx';
import { DetailItem } from '../../../../ui/value/DetailItem.tsx';
import { GreyedAction } from '../../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { Time } from '../../../../ui/value/Time.tsx';
import { DecisionBasis } from '../DecisionBasis.tsx';
import { ReviewDialog } from '../ReviewDialog.tsx';

interface Props {
  detail: Pick<WithdrawDetail, 'row' | 'rules'>;
  decision: Decision;
}

/** What the system decided about a withdrawal, why, and its review. */
export function AutoDecision({ detail, decision }: Props) {
  const { passed, why, drawn, at } = decision;
  return (
    <Section
      title="自动打款"
      aside={passed ? '系统通过' : `转人工：${why === null ? '--' : autoReasons[why]}`}
      more={<Time value={at} />}
    >
      {drawn && <Review id={detail.row.id} review={decision.review} />}
      <details open={passed}>
        <summary className="ht-value-faint">依据</summary>
        <DecisionBasis detail={detail} decision={decision} />
      </details>
    </Section>
  );
}

function Review({ id, review }: { id: number; review: Decision['review'] }) {
  const canReview = useCan(ABILITY.withdraw);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <dl className="ht-value-details">
        <DetailItem label="复查" wide>
          {review ? (
            <>
              <b className={review.sound ? undefined : 'ht-value-warn'}>{review.sound ? '处理得当' : '处理不当'}</b>{' '}
              {operatorDetail(review.by)} · <Time value={review.at} />
              {review.reason !== '' && <> · {review.reason}</>}
            </>
          ) : (
            <>
              抽中，待复查{' '}
              <GreyedAction
                look="button"
                disabledReason={canReview ? undefined : '没有「提现审核」权限'}
                onClick={() => setAsking(true)}
              >
                复查
              </GreyedAction>
            </>
          )}
        </DetailItem>
      </dl>
      {isAsking && <ReviewDialog id={id} onClose={() => setAsking(false)} />}
    </>
  );
}
