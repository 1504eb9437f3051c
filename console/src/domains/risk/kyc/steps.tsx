import { KYC, kycStates } from '@hengtai/contract/risk/kyc/calls';
import type { KycDetail } from '@hengtai/contract/risk/kyc/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { type Step, nextSteps } from '../../../records/Steps.tsx';

/** The way of a submission: submitted, reviewed, checked where a second person was needed, passed or rejected. */
export function kycSteps({ row, approval }: Pick<KycDetail, 'row' | 'approval'>): Step[] {
  const { state, by, createdAt, reviewedAt } = row;
  const { openId, maker, checker, submittedAt } = approval;
  const submitted: Step = { word: '提交', state: 'done', who: '用户', at: createdAt };
  if (openId !== null) {
    const who = maker === null ? '其他操作员' : operatorDetail(maker);
    const second: Step = { word: '复核', state: 'current', who: '等待另一人复核' };
    return [submitted, { word: '审核', state: 'done', who, at: submittedAt }, second, ...nextSteps('结果')];
  }
  if (state === KYC.waiting)
    return [submitted, { word: '审核', state: 'current', who: '等待审核' }, ...nextSteps('结果')];
  const second: Step[] =
    submittedAt === null ? [] : [{ word: '复核', state: 'done', who: operatorDetail(checker), at: reviewedAt }];
  return [
    submitted,
    { word: '审核', state: 'done', who: operatorDetail(by), at: submittedAt ?? reviewedAt },
    ...second,
    { word: kycStates[state as keyof typeof kycStates], state: state === KYC.passed ? 'done' : 'stopped' },
  ];
}
