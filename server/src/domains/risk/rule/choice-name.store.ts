import { type Fact, facts } from '@hengtai/contract/risk/rule/catalogue';
import type { Condition } from '@hengtai/contract/risk/rule/schema';
import type { ChoiceNames } from '@hengtai/contract/risk/rule/text';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

const idsOf = (conditions: readonly Condition[], source: Fact['source']): number[] =>
  conditions.flatMap((condition) => {
    const fact: Fact = facts[condition.fact];
    return Array.isArray(condition.value) && fact.source === source ? condition.value.map(Number) : [];
  });

/** The names of the coins and agents in conditions. Needs full scope. */
export async function fetchChoiceNames(db: Db, conditions: readonly Condition[]): Promise<ChoiceNames> {
  const [coins, agents] = [idsOf(conditions, 'market'), idsOf(conditions, 'agent')];
  const { rows } = await sql<{ source: string; id: number; name: string }>`
    select 'market' as source, id, market_name as name from market where id = any(${coins}::bigint[])
    union all select 'agent', id, account from agent where id = any(${agents}::bigint[])`.execute(db);
  const names = new Map(rows.map(({ source, id, name }) => [`${source} ${id}`, name]));
  return (fact, value) => names.get(`${(facts[fact] as Fact).source} ${value}`);
}
