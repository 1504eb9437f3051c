import { agent } from '@hengtai/contract/people/agent/calls';
import { type ChoiceFact, type Fact, facts } from '@hengtai/contract/risk/rule/catalogue';
import type { ChoiceNames } from '@hengtai/contract/risk/rule/text';
import type { Condition } from '@hengtai/contract/risk/rule/schema';
import { useReads } from '../../../../api/hooks.ts';
import { useMe } from '../../../../api/me.ts';
import { useMarketOptions } from '../../../../lists/market-options.ts';

/** A value of a fact that is one of several choices. */
export type Choice = readonly [fact: ChoiceFact, value: string];

export const choicesOf = (conditions: readonly Condition[]): Choice[] =>
  conditions.flatMap((condition) =>
    condition.op === 'in' || condition.op === 'notIn'
      ? condition.value.map((value) => [condition.fact, value] as const)
      : [],
  );

const sourceOf = (name: ChoiceFact): Fact['source'] => (facts[name] as Fact).source;

/** Accounts of agents by id, as far as they are loaded. */
export function useAgentNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const me = useMe();
  const found = useReads(
    agent.list,
    ids.map((id) => ({ id: Number(id), size: 1 })),
  );
  const accounts = found.flatMap(
    ({ data }) => data?.list.map(({ id, account }) => [String(id), account] as const) ?? [],
  );
  // The top-level admin is not in the agent list.
  return new Map([...(me.top ? [[String(me.id), me.admin] as const] : []), ...accounts]);
}

/** The names of the coins and agents among the choices, which are stored by id. */
export function useChoiceNames(choices: readonly Choice[]): ChoiceNames {
  const idsOf = (source: Fact['source']): string[] => [
    ...new Set(choices.flatMap(([name, value]) => (sourceOf(name) === source ? [value] : []))),
  ];
  const { marketId: coins } = useMarketOptions(idsOf('market').length > 0);
  const agents = useAgentNames(idsOf('agent'));
  return (name, value) => (sourceOf(name) === 'market' ? coins?.[value] : agents.get(value));
}
