import { type ChoiceFact, facts } from '@hengtai/contract/risk/rule/catalogue';
import type { ChoiceCondition, Condition, NumberCondition, RuleContent } from '@hengtai/contract/risk/rule/schema';
import { type RawBuilder, sql } from 'kysely';
import { factColumn } from './fact-column.store.ts';

const comparisons = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`, eq: sql`=` } as const satisfies Record<
  NumberCondition['op'],
  RawBuilder<unknown>
>;
const memberships = { in: sql`= any`, notIn: sql`<> all` } as const satisfies Record<
  ChoiceCondition['op'],
  RawBuilder<unknown>
>;
const choiceTypes = {
  coin: sql`bigint[]`,
  network: sql`text[]`,
  kycLevel: sql`smallint[]`,
  agent: sql`bigint[]`,
  branch: sql`bigint[]`,
} as const satisfies Record<ChoiceFact, RawBuilder<unknown>>;

/** An entry of a table whose keys come from a stored condition. */
function entryOf<V>(table: Readonly<Record<string, V>>, key: string): V {
  const entry = Object.hasOwn(table, key) ? table[key] : undefined;
  if (entry === undefined) throw new Error(`A condition cannot contain ${JSON.stringify(key)}.`);
  return entry;
}

/** Units of the numbers that have decimals. The columns of all others are integers. */
const decimalUnits: readonly string[] = ['币', 'USDT', '%'];
const WHOLE_NUMBER = /^-?\d{1,18}$/;

/** Integers are compared as such where possible: as decimals they take several times as long. */
const numberType = ({ fact, value }: NumberCondition): RawBuilder<unknown> =>
  WHOLE_NUMBER.test(value) && !decimalUnits.includes(facts[fact].unit) ? sql`bigint` : sql`numeric`;

/** A condition over the row `f` of `withdraw_fact`; null if its fact is unknown. Values are parameters, never text. */
function conditionSql(condition: Condition): RawBuilder<boolean> {
  const column = sql`f.${factColumn(condition.fact)}`;
  if (condition.op === 'is') return sql<boolean>`${column} = ${condition.value}::boolean`;
  if (typeof condition.value === 'string') {
    const number = sql`${condition.value}::${numberType(condition)}`;
    return sql<boolean>`${column} ${entryOf(comparisons, condition.op)} ${number}`;
  }
  const values = sql`${[...condition.value]}::${entryOf(choiceTypes, condition.fact)}`;
  return sql<boolean>`${column} ${entryOf(memberships, condition.op)}(${values})`;
}

type Conditions = Pick<RuleContent, 'conditions' | 'unknownHits'>;

/** The conjunction of a rule's conditions over `f`: true, false, or null if it depends on what is unknown. */
export const conjunctionSql = ({ conditions }: Pick<Conditions, 'conditions'>): RawBuilder<boolean | null> =>
  sql`(${sql.join(conditions.map(conditionSql), sql` and `)})`;

/**
 * Whether a rule hits the row `f` of `withdraw_fact`. Live decisions and backtests use this one function. It compares columns
 * of the row with parameters: it reads no other row, writes nothing, and takes constant time.
 */
export const hitSql = (rule: Conditions): RawBuilder<boolean> =>
  rule.unknownHits ? sql<boolean>`${conjunctionSql(rule)} is not false` : sql<boolean>`${conjunctionSql(rule)} is true`;
