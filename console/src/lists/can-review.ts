import { countSpecs } from '@hengtai/contract/desk/notify/notification';
import { type ReviewType, queuesOfType } from '@hengtai/contract/desk/queue/work-queue';
import { can, useMe } from '../api/me.ts';

/** Whether the operator can decide about records of a kind, in one of their queues. */
export function useCanReview(type: ReviewType | undefined): boolean {
  const me = useMe();
  if (type === undefined) return false;
  return queuesOfType(type).some((key) => [countSpecs[key].ability].flat().some((ability) => can(me, ability)));
}
