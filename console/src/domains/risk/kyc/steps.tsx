import { KYC, kycStates } from '@hengtai/contract/risk/kyc/calls';
import type { KycRow } from '@hengtai/contract/risk/kyc/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { type Step, nextSteps } from '../../../records/Steps.tsx';

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
