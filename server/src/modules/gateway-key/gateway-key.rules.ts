import { refusals } from '@hengtai/contract/refusals';
import type { Ctx } from '../../core/context.ts';
import { refuse } from '../../core/refuse.ts';

/** @throws Refused 403 for operators other than the top-level admin */
export function requireTop({ operator }: Ctx): void {
  if (!operator.top) throw refuse(refusals.forbidden);
}
