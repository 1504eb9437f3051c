import { screenObstacles } from '@hengtai/contract/risk/screening/facts';
import type { Screening } from '@hengtai/contract/risk/screening/schema';

/** Why screening forbids to pass a record; undefined if it does not. */
export const obstacleReasonOf = (screening: Pick<Screening, 'obstacle'> | undefined): string | undefined =>
  screening?.obstacle ? `未通过筛查：${screenObstacles[screening.obstacle]}` : undefined;

/** Whether there is anything to say: nothing was demanded of most records. */
export const hasScreening = ({ demanded, obstacle, requests, listed, bypass }: Screening): boolean =>
  demanded || obstacle !== null || requests.length > 0 || listed.length > 0 || bypass !== null;
