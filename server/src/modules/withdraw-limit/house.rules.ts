import { refusals } from '@hengtai/contract/refusals';
import type { Ctx } from '../../core/context.ts';
import { refuse } from '../../core/refuse.ts';

/** @throws Refused 403 without full scope: limits and groups are those of the house */
export function requireHouse({ scope }: Pick<Ctx, 'scope'>): void {
  if (scope.kind !== 'all') throw refuse(refusals.forbidden);
}
