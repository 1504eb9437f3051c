import { ieoStates, IEO } from '@hengtai/contract/trading/ieo/facts';
import type { IeoDetail } from '@hengtai/contract/trading/ieo/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { type Step, nextSteps } from '../../../records/Steps.tsx';

/** The way of a subscription: request, review, second person where one is needed, tokens. */
export function ieoSteps({ row, approval }: Pick<IeoDetail, 'row' | 'approval'>): Step[] {
  const { state, by, reviewedAt, secondBy } = row;
  const requested: Step = { word: '申请', state: 'done', who: '用户', at: row.createdAt };
  const review = { word: '审核', who: operatorDetail(by), at: reviewedAt };
  if (state === IEO.waiting && approval.openId !== null) {
    const who = approval.maker === null ? '其他操作员' : operatorDetail(approval.maker);
    const second: Step = { word: '复核', state: 'current', who: '等待另一人复核' };
    return [requested, { word: '审核', state: 'done', who, at: approval.submittedAt }, second, ...nextSteps('发放')];
  }
  if (state === IEO.waiting) {
    const current: Step = { word: '审核', state: 'current', who: '等待审核' };
    return [requested, current, ...nextSteps(...(approval.needed ? ['复核'] : []), '发放')];
  }
  if (state === IEO.passed) {
    // The record keeps the time of its decision, which is the checker's if there was one.
    const checkedAt = approval.submittedAt === null ? undefined : { at: reviewedAt };
    const second: Step[] =
      secondBy === null ? [] : [{ word: '复核', state: 'done', who: operatorDetail(secondBy), ...checkedAt }];
    const reviewed: Step = { ...review, state: 'done', at: approval.submittedAt ?? reviewedAt };
    return [requested, reviewed, ...second, { word: '发放', state: 'done', at: row.updatedAt }];
  }
  const word = ieoStates[state as keyof typeof ieoStates];
  if (state === IEO.rejected) return [requested, { ...review, word, state: 'stopped' }];
  return [requested, { word, state: 'stopped', at: row.updatedAt }];
}
