import { UNEXPLAINED, USER_FROZEN, withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { Suspense } from 'react';
import { OpenRequest } from '../../../../actions/OpenRequest.tsx';
import { CaseLayout, CaseState } from '../../../../records/CaseLayout.tsx';
import { LedgerCompare } from '../../../../records/LedgerCompare.tsx';
import { withdrawTones } from '../../../../records/state-tones.ts';
import { lazyComponent } from '../../../../ui/page/lazy-component.tsx';
import { DetailItem } from '../../../../ui/value/DetailItem.tsx';
import { Hash } from '../../../../ui/value/Hash.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { PriceTime } from '../../../../ui/value/PriceTime.tsx';
import { hasScreening } from '../../../risk/screening/exported/obstacle-reason.ts';
import { CockpitSide } from '../CockpitSide.tsx';
import { PayoutHoldNote } from '../PayoutHoldNote.tsx';
import { Risks } from '../columns.tsx';
import { isOpenOfFrozen, screeningReasonOf } from '../actions.ts';
import { withdrawSteps } from '../steps.tsx';

// On demand, so that the list does not load it.
const MoneyTimeline = lazyComponent(async () => (await import('./MoneyTimeline.tsx')).MoneyTimeline);
const RuleHits = lazyComponent(async () => (await import('../../../risk/rule/exported/RuleHits.tsx')).RuleHits);
const ScreeningPanel = lazyComponent(
  async () => (await import('../../../risk/screening/exported/ScreeningPanel.tsx')).ScreeningPanel,
);
const AutoDecision = lazyComponent(
  async () => (await import('../../../risk/auto-payout/exported/AutoDecision.tsx')).AutoDecision,
);
const PayoutStatements = lazyComponent(async () => (await import('../PayoutStatements.tsx')).PayoutStatements);
const PayoutSignatures = lazyComponent(
  async () => (await import('../../../risk/signing/exported/PayoutSignatures.tsx')).PayoutSignatures,
);

interface Props {
  detail: WithdrawDetail;
  /** Whether the operator reviews withdrawals. */
  hasAbility: boolean;
}

/** One withdrawal with everything needed to decide it. */
export function WithdrawCase({ detail, hasAbility }: Props) {
  return (
    <CaseLayout
      head={<Head detail={detail} />}
      steps={withdrawSteps(detail)}
      preview={
        <LedgerCompare
          decisions={[
            { name: 'pass', label: '通过并打款后', lines: detail.preview.pass },
            { name: 'reject', label: '驳回后', lines: detail.preview.reject },
          ]}
        />
      }
      left={
        <>
          {(hasScreening(detail.screening) || detail.related.length > 0) && (
            <Suspense>
              <ScreeningPanel
                type="withdraw"
                id={detail.row.id}
                screening={detail.screening}
                related={detail.related}
                disabledReason={screeningReasonOf(detail.row, hasAbility)}
              />
            </Suspense>
          )}
          {detail.rules && (
            <Suspense>
              <RuleHits result={detail.rules} />
            </Suspense>
          )}
          {detail.auto && (
            <Suspense>
              <AutoDecision detail={detail} decision={detail.auto} />
            </Suspense>
          )}
          {detail.statements.length > 0 && (
            <Suspense>
              <PayoutStatements statements={detail.statements} explorer={detail.row.explorer} />
            </Suspense>
          )}
          <Suspense>
            <PayoutSignatures withdrawId={detail.row.id} attempt={detail.row.attempt} />
          </Suspense>
          <Suspense>
            <MoneyTimeline
              events={{ ...detail, withdraws: [detail.row, ...detail.withdraws] }}
              underReview={detail.row.id}
            />
          </Suspense>
        </>
      }
      right={<CockpitSide detail={detail} />}
    />
  );
}

/** What is decided: amount, address and risks in one line, and below it the rest of the request. */
function Head({ detail }: { detail: WithdrawDetail }) {
  const { row, value } = detail;
  return (
    <>
      <div className="ht-records-case-hero">
        <div className="ht-value-large">
          <Money value={row.amount} unit={row.marketName} />
        </div>
        <span aria-hidden>→</span>
        <Hash full value={row.address} label="地址" />
        <b>{row.network}</b>
        <Risks codes={detail.risk} none="未发现风险" />
        <CaseState state={row.state} labels={withdrawStates} tones={withdrawTones} />
      </div>
      <dl className="ht-records-case-facts">
        {row.memo && <DetailItem label="标签(Memo)">{row.memo}</DetailItem>}
        <DetailItem label="手续费">
          <Money value={row.fee} />
        </DetailItem>
        <DetailItem label="到账">
          <Money value={row.received} />
        </DetailItem>
        <DetailItem label="申请时估值">
          <Money value={row.valuation} unit="USDT" digits={2} shortened />
        </DetailItem>
        <DetailItem label="当前估值">
          <Money value={value.now} unit="USDT" digits={2} shortened />
        </DetailItem>
        {value.pricedAt !== null && (
          <DetailItem label="价格时间">
            <PriceTime value={value.pricedAt} old={value.priceOld} />
          </DetailItem>
        )}
        {row.attempt > 0 && <DetailItem label="已打款">{row.attempt} 次</DetailItem>}
        {row.txHash && (
          <DetailItem label="交易哈希">
            <Hash value={row.txHash} label="交易哈希" explorer={row.explorer} />
          </DetailItem>
        )}
        {row.reason && <DetailItem label="原因">{row.reason}</DetailItem>}
        <OpenRequest approval={detail.approval} />
      </dl>
      {row.unexplained && (
        <p className="ht-withdraw-hold" role="status">
          <b>{UNEXPLAINED}</b>
          <span>请先在链上核实，再点「确认结果」；确认或关闭告警之前不能作其他决定。</span>
        </p>
      )}
      {isOpenOfFrozen(row) && (
        <p className="ht-withdraw-hold" role="status">
          <b>{USER_FROZEN}</b>
          <span>打款须输入账号并填写原因，不能批量通过。</span>
        </p>
      )}
      {detail.payoutHold && <PayoutHoldNote hold={detail.payoutHold} />}
    </>
  );
}
