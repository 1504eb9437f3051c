import { FOUR_EYES_PATH, targets } from '@hengtai/contract/authority/target';

export interface Target {
  targetType: string | null;
  targetId: number | null;
}

/** Address of the page of a target; undefined if it has none. */
export function pathOfTarget({ targetType, targetId }: Target): string | undefined {
  if (targetType === null || targetId === null || !Object.hasOwn(targets, targetType)) return undefined;
  if (targetType === 'installation') return FOUR_EYES_PATH;
  // A market that is not created yet has id 0.
  if (targetType === 'market' && targetId === 0) return '/market';
  return targets[targetType]?.path?.replaceAll('{id}', String(targetId));
}
