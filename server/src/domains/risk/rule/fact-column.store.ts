import { type FactName, facts } from '@hengtai/contract/risk/rule/catalogue';
import { type RawBuilder, sql } from 'kysely';

/**
 * The column of `withdraw_fact` of a fact. The only names that rules bring into a statement.
 *
 * @throws Error for a name outside of the catalogue
 */
export function factColumn(name: FactName): RawBuilder<unknown> {
  if (!Object.hasOwn(facts, name)) throw new Error(`There is no fact ${JSON.stringify(name)}.`);
  return sql.raw(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
