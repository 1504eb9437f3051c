import { approvalStates, APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { type Step, nextSteps } from '../../../records/Steps.tsx';

type Votes = ApprovalDetail['votes'];

const voteWords = ['第一人复核', '第二人复核'] as const;

/** What each of several checkers has done, with the own time. */
const voteSteps = (votes: Votes): Step[] =>
  votes.map(({ checker, at }, index) => ({
    word: voteWords[index] ?? `第 ${index + 1} 人复核`,
    state: 'done',
    who: operatorDetail(checker),
    at,
  }));

/** The way of a request: submitted, decided by one or two checkers, executed. */
export function approvalSteps(row: ApprovalRow, votes: Votes): Step[] {
  const { state, maker, checker, createdAt, decidedAt, required, given } = row;
  const submitted: Step = { word: '提交', state: 'done', who: operatorDetail(maker), at: createdAt };
  if (state === APPROVAL.open) {
    const count = required > 1 ? `（${given}/${required}）` : '';
    const waiting: Step = { word: `复核${count}`, state: 'current', who: '等待复核员' };
    return [submitted, ...voteSteps(votes), waiting, ...nextSteps('执行')];
  }
  const word = approvalStates[state as keyof typeof approvalStates];
  if (state === APPROVAL.expired || state === APPROVAL.cancelled)
    return [
      submitted,
      ...voteSteps(votes),
      {
        word,
        state: 'stopped',
        at: row.expiresAt,
        ...(state === APPROVAL.cancelled && { who: operatorDetail(maker) }),
      },
    ];
  const decided = { who: operatorDetail(checker), at: decidedAt };
  if (state === APPROVAL.rejected) return [submitted, ...voteSteps(votes), { ...decided, word, state: 'stopped' }];
  const checked: Step[] = votes.length > 0 ? voteSteps(votes) : [{ ...decided, word: '复核', state: 'done' }];
  if (state === APPROVAL.failed) return [submitted, ...checked, { word, state: 'stopped', at: decidedAt }];
  // A permit is used by the maker later.
  if (row.permitUntil !== null) return [submitted, ...checked, { word: '准许', state: 'done', who: '由提交人操作' }];
  return [submitted, ...checked, { word: '执行', state: 'done', at: decidedAt }];
}
