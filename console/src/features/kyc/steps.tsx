import { KYC, kycStates } from '@hengtai/contract/kyc';
import type { KycRow } from '@hengtai/contract/kyc.schema';
import { operatorDetail } from '../../navigation/account-cells.tsx';
import { type Step, nextSteps } from '../../ui/Steps.tsx';

/** The way of a submission: submitted, reviewed, passed or rejected. */
export function kycSteps({ state, by, createdAt, reviewedAt }: KycRow): Step[] {
  const submitted: Step = { word: '提交', state: 'done', who: '用户', at: createdAt };
  if (state === KYC.waiting)
    return [submitted, { word: '审核', state: 'current', who: '等待审核' }, ...nextSteps('结果')];
  return [
    submitted,
    { word: '审核', state: 'done', who: operatorDetail(by), at: reviewedAt },
    { word: kycStates[state as keyof typeof kycStates], state: state === KYC.passed ? 'done' : 'stopped' },
  ];
}
