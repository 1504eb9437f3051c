import { refusals } from '@hengtai/contract/wire/refusals';
import type { Ctx } from '../../../app/context.ts';
import { refuse } from '../../../app/refuse.ts';

/** @throws Refused 403 without full scope: limits and groups are those of the house */
export function requireHouse({ scope }: Pick<Ctx, 'scope'>): void {
  if (scope.kind !== 'all') throw refuse(refusals.forbidden);
}
