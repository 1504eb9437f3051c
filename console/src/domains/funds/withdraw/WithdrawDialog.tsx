import { type WithdrawAction, payingActions, withdraw } from '@hengtai/contract/funds/withdraw/calls';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { Suspense, useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { CheckerNote } from '../../../actions/CheckerNote.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { priceDetails } from '../../../ui/value/price-details.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { obstacleReasonOf } from '../../risk/screening/exported/obstacle-reason.ts';
import { frozenChallengeOf } from './exported/frozen-challenge.ts';
import { PayoutOutcome, type Outcome, RESOLVE_REASONS, findMissingText, toInput } from './PayoutOutcome.tsx';
import { Risks } from './columns.tsx';
import { consequenceOf, needsChecker, payoutHoldReasonOf, stateText } from './actions.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';

// On demand, because few payouts are held.
const PayoutHoldNote = lazyComponent(async () => (await import('./PayoutHoldNote.tsx')).PayoutHoldNote);

interface Props {
  action: WithdrawAction;
  row: WithdrawRow;
  onClose: () => void;
  /** Called after the action was executed or submitted for approval. */
  onDone: (row: WithdrawRow) => void;
}

const REASONS: Partial<Record<WithdrawAction, readonly string[]>> = {
  retry: ['前一次未到账，已核实', '手续费不足，已补充', '网络拥堵，已恢复'],
  refund: ['链上未到账，已核实', '地址无法收款', '用户要求退回'],
  resolve: RESOLVE_REASONS,
};

/** Level 2, for a payout to a frozen user level 3: executes one action on a withdrawal, with its details and consequence. */
export function WithdrawDialog({ action, row, onClose, onDone }: Props) {
  const detail = useRead(withdraw.detail, { id: row.id }, { staleTime: 0 });
  const [outcome, setOutcome] = useState<Outcome>({ txHash: '' });
  const requiresChecker = needsChecker(action, detail.data);
  const risk = detail.data?.risk ?? row.risk;
  const hold = detail.data?.payoutHold;
  const value = detail.data?.value;
  const waitReason =
    payoutHoldReasonOf(action, hold) ??
    (payingActions.includes(action) ? obstacleReasonOf(detail.data?.screening) : undefined);
  const reasons = REASONS[action];
  const isToFrozen = payingActions.includes(action) && (detail.data?.row ?? row).userFrozen;

  return (
    <ActionDialog
      call={withdraw[action]}
      input={{
        id: row.id,
        ...(action === 'resolve' && toInput(outcome)),
      }}
      signs={action === 'pass' || action === 'retry' ? { ids: [row.id], action } : undefined}
      user={row}
      onDone={() => onDone(row)}
      {...(requiresChecker && { verb: SUBMIT })}
      amounts={[{ value: row.amount, unit: row.marketName }]}
      details={[
        { label: '手续费', value: <Money value={row.fee} unit={row.marketName} /> },
        { label: '到账数量', value: <Money value={row.received} unit={row.marketName} /> },
        { label: '申请时估值', value: <Money value={row.valuation} unit="USDT" digits={2} shortened /> },
        { label: '当前估值', value: <Money value={value?.now} unit="USDT" digits={2} shortened /> },
        ...priceDetails(value),
        { label: '申请时间', value: <Time value={row.createdAt} /> },
        { label: '网络', value: row.network },
        { label: '风险', value: <Risks codes={risk} none="未发现" /> },
        ...(row.memo ? [{ label: '标签(Memo)', value: row.memo }] : []),
      ]}
      address={{ label: '地址', value: row.address }}
      consequence={consequenceOf(action, row, requiresChecker, outcome.paid)}
      query={action === 'reject' ? undefined : detail}
      blocked={action === 'resolve' ? findMissingText(outcome) : waitReason}
      reason={reasons && { chips: reasons }}
      {...(isToFrozen && frozenChallengeOf(row))}
      stateText={stateText}
      onClose={onClose}
    >
      {hold && payoutHoldReasonOf(action, hold) !== undefined && (
        <Suspense>
          <PayoutHoldNote hold={hold} />
        </Suspense>
      )}
      {requiresChecker && <CheckerNote userId={row.userId} />}
      {action === 'resolve' && <PayoutOutcome value={outcome} onChange={setOutcome} />}
    </ActionDialog>
  );
}
