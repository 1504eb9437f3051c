import { approvalStates, APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { type Step, nextSteps } from '../../../records/Steps.tsx';

/** The way of a request: submitted, decided by one or two checkers, executed. */
export function approvalSteps(row: ApprovalRow): Step[] {
  const { state, maker, checker, createdAt, decidedAt, required, given } = row;
  const submitted: Step = { word: '提交', state: 'done', who: operatorDetail(maker), at: createdAt };
  if (state === APPROVAL.open) {
    const count = required > 1 ? `（${given}/${required}）` : '';
    return [submitted, { word: `复核${count}`, state: 'current', who: '等待复核员' }, ...nextSteps('执行')];
  }
  const word = approvalStates[state as keyof typeof approvalStates];
  if (state === APPROVAL.expired || state === APPROVAL.cancelled)
    return [submitted, { word, state: 'stopped', at: row.expiresAt }];
  const decided = { who: operatorDetail(checker), at: decidedAt };
  if (state === APPROVAL.rejected) return [submitted, { ...decided, word, state: 'stopped' }];
  const checked: Step = { ...decided, word: '复核', state: 'done' };
  if (state === APPROVAL.failed) return [submitted, checked, { word, state: 'stopped' }];
  // A permit is used by the maker later.
  if (row.permitUntil !== null) return [submitted, checked, { word: '准许', state: 'done', who: '由提交人操作' }];
  return [submitted, checked, { word: '执行', state: 'done', at: decidedAt }];
}
