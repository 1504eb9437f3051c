import { AUTO_REVIEWER } from '@hengtai/contract/risk/auto-payout/facts';
import { withdrawStates, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { type Step, nextSteps } from '../../../records/Steps.tsx';

const wordOf = (state: number): string => withdrawStates[state as keyof typeof withdrawStates];

/** The way of a withdrawal: request, review, second person where one is needed, payout. */
export function withdrawSteps({ row, approval }: Pick<WithdrawDetail, 'row' | 'approval'>): Step[] {
  const { state, by, reviewedAt, secondBy, updatedAt } = row;
  const requested: Step = { word: '申请', state: 'done', who: '用户', at: row.createdAt };
  if (state === WITHDRAW.review) {
    const review: Step = { word: '审核', state: 'current', who: '等待审核' };
    return [requested, review, ...nextSteps(...(approval.needed ? ['复核'] : []), '打款', '完成')];
  }
  if (state === WITHDRAW.second) {
    const who = approval.maker === null ? '其他操作员' : operatorDetail(approval.maker);
    const second: Step = { word: '复核', state: 'current', who: '等待另一人复核' };
    return [
      requested,
      { word: '审核', state: 'done', who, at: approval.submittedAt },
      second,
      ...nextSteps('打款', '完成'),
    ];
  }
  // The record keeps the time of its decision, which is the checker's if there was one.
  const checkedAt = approval.submittedAt === null ? undefined : { at: reviewedAt };
  const second: Step[] =
    secondBy === null ? [] : [{ word: '复核', state: 'done', who: operatorDetail(secondBy), ...checkedAt }];
  if (state === WITHDRAW.rejected) {
    return [requested, { word: wordOf(state), state: 'stopped', who: operatorDetail(by), at: reviewedAt }, ...second];
  }
  if (state === WITHDRAW.cancelled) return [requested, { word: wordOf(state), state: 'stopped', at: updatedAt }];
  const reviewed: Step = {
    word: '审核',
    state: 'done',
    who: by === null || by === AUTO_REVIEWER ? AUTO_REVIEWER : operatorDetail(by),
    at: approval.submittedAt ?? reviewedAt,
  };
  return [requested, reviewed, ...second, ...payoutSteps(state, updatedAt)];
}

function payoutSteps(state: number, updatedAt: number): Step[] {
  if (state === WITHDRAW.paid)
    return [
      { word: '打款', state: 'done', who: '平台' },
      { word: wordOf(state), state: 'done', at: updatedAt },
    ];
  if (state === WITHDRAW.refunded)
    return [
      { word: '打款失败', state: 'done', who: '平台' },
      { word: wordOf(state), state: 'stopped', at: updatedAt },
    ];
  return [{ word: wordOf(state), state: 'current', who: '平台', at: updatedAt }, ...nextSteps('完成')];
}
