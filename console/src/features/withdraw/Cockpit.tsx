import { type WithdrawAction, withdraw } from '@hengtai/contract/withdraw';
import { withdrawStates } from '@hengtai/contract/withdraw.facts';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { operatorDetail } from '../../navigation/account-cells.tsx';
import { ReviewDrawer } from '../../lists/ReviewDrawer.tsx';
import { PageLink } from '../../navigation/PageLink.tsx';
import type { DrawerRequest } from '../../lists/ReviewPage.tsx';
import { DetailItem } from '../../ui/DetailItem.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { CockpitHistory } from './CockpitHistory.tsx';
import { CockpitSide } from './CockpitSide.tsx';
import { LedgerPreview } from './LedgerPreview.tsx';
import { PayoutHoldNote } from './PayoutHoldNote.tsx';
import { Risks, withdrawTones } from './columns.tsx';
import { actionLabels, needsChecker, drawerDisabledReasonOf } from './actions.ts';

/** Review drawer of one withdrawal. */
export function Cockpit({ id, hasAbility, left, next, onAct, onClose }: DrawerRequest<WithdrawRow, WithdrawAction>) {
  return (
    <ReviewDrawer
      call={withdraw.detail}
      id={id}
      noun="提现"
      states={withdrawStates}
      tones={withdrawTones}
      words={actionLabels}
      disabledReasonOf={(action, detail) => drawerDisabledReasonOf(action, detail, hasAbility)}
      needsChecker={needsChecker}
      left={left}
      next={next}
      onAct={(action, { row }) => onAct(action, row)}
      onClose={onClose}
    >
      {(detail) => <Body detail={detail} />}
    </ReviewDrawer>
  );
}

function Body({ detail }: { detail: WithdrawDetail }) {
  const { row } = detail;
  return (
    <div className="ht-review">
      <div>
        <div className="ht-review-hero">
          <div className="ht-amount-large">
            <Money value={row.amount} unit={row.marketName} digits={18} />
          </div>
          {detail.payoutHold && <PayoutHoldNote hold={detail.payoutHold} />}
          <dl className="ht-details">
            <DetailItem label="手续费">
              <Money value={row.fee} digits={18} />
            </DetailItem>
            <DetailItem label="到账">
              <Money value={row.received} digits={18} />
            </DetailItem>
            <DetailItem label="估值">
              <Money value={row.valuation} unit="USDT" digits={2} rough />
            </DetailItem>
            <DetailItem label="网络">{row.network}</DetailItem>
            <DetailItem label="申请">
              <Time value={row.createdAt} />
            </DetailItem>
            {row.memo && <DetailItem label="标签(Memo)">{row.memo}</DetailItem>}
            <DetailItem label="地址" wide>
              <Hash full value={row.address} what="地址" />
            </DetailItem>
            {row.txHash && (
              <DetailItem label="交易哈希" wide>
                <Hash full value={row.txHash} what="交易哈希" explorer={row.explorer} />
              </DetailItem>
            )}
            <DetailItem label="风险" wide>
              <Risks codes={detail.risk} none="未发现风险" />
            </DetailItem>
            {row.by && (
              <DetailItem label="审核" wide>
                {operatorDetail(row.by)} <Time value={row.reviewedAt} />
                {row.secondBy && <>，复核 {operatorDetail(row.secondBy)}</>}
                {row.reason && <>，原因：{row.reason}</>}
              </DetailItem>
            )}
            {detail.approval.openId !== null && (
              <DetailItem label="复核" wide>
                {detail.approval.maker ?? '其他操作员'} 已提交复核（
                <PageLink to={`/approval?open=${detail.approval.openId}`}>#{detail.approval.openId}</PageLink>）
              </DetailItem>
            )}
          </dl>
        </div>
        <Section title="记账预览" aside={`单位 ${row.marketName}，按账本当前余额`}>
          <LedgerPreview preview={detail.preview} />
        </Section>
      </div>
      <CockpitSide detail={detail} />
      <CockpitHistory detail={detail} />
    </div>
  );
}
