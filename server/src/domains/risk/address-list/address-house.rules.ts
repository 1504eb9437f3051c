import type { Subject } from '../../../actions/action-audit.ts';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { Ctx } from '../../../app/context.ts';
import { refuse } from '../../../app/refuse.ts';

/** @throws Refused 403 without full scope: lists are about withdrawals of every tree */
export function requireHouse({ scope }: Pick<Ctx, 'scope'>): void {
  if (scope.kind !== 'all') throw refuse(refusals.forbidden);
}

/** Lists belong to no agent, so their approvals belong to the tree of their maker. */
export const subjectOf = (
  { operator }: Pick<Ctx, 'operator'>,
  type: 'addressList' | 'addressImport',
  id: number,
): Subject => ({
  type,
  id,
  agentId: operator.id,
});
