import { CONDITIONS_MAX, type FactName, facts, flagFacts, numberFacts } from '@hengtai/contract/risk/rule/catalogue';
import type { Condition, RuleActions, RuleContent } from '@hengtai/contract/risk/rule/schema';
import { decimalOf } from '../../../ui/value/amount.ts';

/** A condition in the form. The value of a number is as typed. */
export type ConditionDraft = Condition & {
  /** Identifies the line while others are added and removed. */
  key: number;
};

/** A rule in the form. */
export interface RuleDraft {
  name: string;
  conditions: readonly ConditionDraft[];
  actions: RuleActions;
  /** Undefined until it is chosen: as the actions suggest. */
  unknownHits: boolean | undefined;
}

const NO_ACTIONS: RuleActions = {
  points: 0,
  hold: false,
  people: 0,
  manual: false,
  openCase: false,
  stopCoin: false,
};

const isIn = <N extends FactName>(names: readonly N[], fact: FactName): fact is N =>
  names.some((name) => name === fact);

/** A condition about a fact whose value is still to be entered. */
export function emptyCondition(fact: FactName): Condition {
  if (isIn(numberFacts, fact)) return { fact, op: 'gte', value: '' };
  if (isIn(flagFacts, fact)) return { fact, op: 'is', value: true };
  return { fact, op: 'in', value: [] };
}

export const newDraft = (): RuleDraft => ({
  name: '',
  conditions: [{ ...emptyCondition('amountUsdt'), key: 0 }],
  actions: NO_ACTIONS,
  unknownHits: undefined,
});

export const draftOf = ({ name, conditions, actions, unknownHits }: RuleContent): RuleDraft => ({
  name,
  conditions: conditions.map((condition, key) => ({ ...condition, key })),
  actions,
  unknownHits,
});

/** Adds an empty condition, unless there are as many as a rule may have. */
export function withCondition({ conditions, ...draft }: RuleDraft): RuleDraft {
  const key = Math.max(-1, ...conditions.map((one) => one.key)) + 1;
  const added = { ...emptyCondition('amountUsdt'), key };
  return { ...draft, conditions: [...conditions, added].slice(0, CONDITIONS_MAX) };
}

/** What is unknown is looked at, unless the rule only counts points. */
export const unknownHitsOf = ({ unknownHits, actions }: RuleDraft): boolean =>
  unknownHits ?? (actions.hold || actions.manual);

type Checked<T> = { value: T } | { problem: string };

function conditionOf({ key: _key, ...draft }: ConditionDraft): Checked<Condition> {
  const { label } = facts[draft.fact];
  if (draft.op === 'is') return { value: draft };
  if (typeof draft.value !== 'string')
    return draft.value.length === 0 ? { problem: `请选择${label}` } : { value: draft };
  const value = decimalOf(draft.value);
  return value === undefined ? { problem: `请输入${label}` } : { value: { ...draft, value } };
}

/** The conditions as they are sent, or what is missing. */
export function conditionsOf(drafts: readonly ConditionDraft[]): Checked<Condition[]> {
  const checked = drafts.map(conditionOf);
  const wrong = checked.find((one) => 'problem' in one);
  return wrong ?? { value: checked.flatMap((one) => ('value' in one ? [one.value] : [])) };
}

/** The rule as it is sent, or what is missing. */
export function contentOf(draft: RuleDraft): Checked<RuleContent> {
  const name = draft.name.trim();
  if (name === '') return { problem: '请输入名称' };
  const conditions = conditionsOf(draft.conditions);
  if ('problem' in conditions) return conditions;
  return {
    value: { name, conditions: conditions.value, actions: draft.actions, unknownHits: unknownHitsOf(draft) },
  };
}
