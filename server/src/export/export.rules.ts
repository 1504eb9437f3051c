import { ABILITY } from '@hengtai/contract/ability';
import type { ExportSpec } from '@hengtai/contract/export';
import { type Operator, can } from '../context.ts';
import type { Scope } from '../db/connect.ts';

/**
 * Whether an operator may still have what a job holds: the abilities that the export needs, and every agent that it saw
 * when it asked. The file shows what was seen then; who sees less now gets nothing of it.
 *
 * @param agents the agents seen then; null: everything
 */
export function mayHave(call: ExportSpec, operator: Operator, scope: Scope, agents: readonly number[] | null): boolean {
  if (!can(operator, ABILITY.export)) return false;
  if (call.also !== undefined && !can(operator, call.also)) return false;
  if (scope.kind === 'all') return true;
  if (agents === null) return false;
  const seen = new Set(scope.ids);
  return agents.every((id) => seen.has(id));
}
