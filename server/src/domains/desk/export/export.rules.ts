import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ExportSpec } from '@hengtai/contract/desk/export/calls';
import { type Operator, can } from '../../../app/context.ts';
import type { Scope } from '../../../database/connect.ts';

/**
 * Whether an operator may still read the file of a job: it needs the abilities of the export and every agent of the
 * job. The file has the scope of the request, so an operator with a narrower scope today must not get it.
 *
 * @param agents the agents in scope at the time of the request; null: full scope
 */
export function canAccessExport(
  call: ExportSpec,
  operator: Operator,
  scope: Scope,
  agents: readonly number[] | null,
): boolean {
  if (!can(operator, ABILITY.export)) return false;
  if (call.also !== undefined && !can(operator, call.also)) return false;
  if (scope.kind === 'all') return true;
  if (agents === null) return false;
  const inScope = new Set(scope.ids);
  return agents.every((id) => inScope.has(id));
}
