import type { StatementSite } from './declared.ts';
import type { Observation } from './files.ts';
import { compareShapes } from './shape.ts';

/**
 * Statements that run in the guard process of the embedded PostgreSQL, where nothing is recorded. They declare no rows.
 */
const IN_OTHER_PROCESS = /\/postmaster\.ts$/;

/**
 * Compares the rows that statements declare with those that they returned.
 *
 * @param isComplete whether every test ran, so that a statement without an observation is one that no test executes
 */
export function compareStatements(
  sites: readonly StatementSite[],
  observations: readonly Observation[],
  isComplete: boolean,
): string[] {
  return sites.flatMap(({ id, path, kind, row }) => {
    const own = observations.filter((observed) => observed.id === id);
    if (!row) return own.length > 0 ? [`${id}: executed by a caller that is not known`] : [];
    if (row.any && IN_OTHER_PROCESS.test(path)) return [];
    if (own.length === 0 && isComplete) return [`${id}: no test ${kind === 'call' ? 'calls' : 'executes'} it`];
    if (row.any) return [];
    const differences = own.flatMap((observed) => [
      ...duplicates(observed.columns).map((name) => `column ${name} is returned twice`),
      ...compareShapes(row, observed.row, ''),
    ]);
    return [...new Set(differences)].map((difference) => `${id}: ${difference}`);
  });
}

function duplicates(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
