import { canonical, withSeparators } from '../../values/money.ts';
import { type ChoiceFact, type Fact, type FactName, choiceOps, facts, numberOps, peopleOptions } from './catalogue.ts';
import type { Condition, FactValue, RuleActions, RuleContent } from './schema.ts';

/** Names of choices that the catalogue does not have: coins and agents by their ids. */
export type ChoiceNames = (fact: ChoiceFact, value: string) => string | undefined;

const noNames: ChoiceNames = () => undefined;

const factOf = (name: string): Fact | undefined => (Object.hasOwn(facts, name) ? facts[name as FactName] : undefined);

/** A choice in words: its option, or its name, or the stored value. */
const choiceText = (name: ChoiceFact, value: string, names: ChoiceNames): string =>
  factOf(name)?.options?.[value] ?? names(name, value) ?? value;

/** `估值 大于 10,000 USDT`. */
export function conditionText(condition: Condition, names: ChoiceNames = noNames): string {
  const { label = condition.fact, unit = '' } = factOf(condition.fact) ?? {};
  if (condition.op === 'is') return `${label}：${condition.value ? '是' : '否'}`;
  if (typeof condition.value === 'string')
    return `${label} ${numberOps[condition.op]} ${withSeparators(condition.value)} ${unit}`.trim();
  const values = condition.value.map((value) => choiceText(condition.fact, value, names));
  return `${label} ${choiceOps[condition.op]}：${values.join('、')}`;
}

/** A recorded fact in words; unknown ones say so. */
export function factText(name: FactName, value: FactValue | undefined, names: ChoiceNames = noNames): string {
  if (value === null || value === undefined) return '未知';
  if (typeof value === 'boolean') return value ? '是' : '否';
  const { kind, unit = '' } = facts[name] as Fact;
  if (kind === 'choice') return choiceText(name as ChoiceFact, value, names);
  return `${withSeparators(canonical(value))} ${unit}`;
}

/** Each action of a rule in words. */
export function actionTexts({ points, hold, people, manual, openCase, stopCoin }: RuleActions): string[] {
  return [
    ...(points > 0 ? [`记 ${points} 分`] : []),
    ...(hold ? ['拦截'] : []),
    ...(people > 0 ? [`审核需${peopleOptions[people]}`] : []),
    ...(manual ? ['禁止自动通过'] : []),
    ...(openCase ? ['建立案件'] : []),
    ...(stopCoin ? ['暂停该币种的自动打款'] : []),
  ];
}

/** What differs between two versions of a rule. */
export interface RuleChange {
  kind: 'added' | 'removed';
  text: string;
}

/** The lines of a rule that are in one version only: those removed first. */
export function ruleChanges(before: RuleContent, after: RuleContent, names: ChoiceNames = noNames): RuleChange[] {
  const [old, current] = [ruleTexts(before, names), ruleTexts(after, names)];
  return [
    ...old.filter((text) => !current.includes(text)).map((text): RuleChange => ({ kind: 'removed', text })),
    ...current.filter((text) => !old.includes(text)).map((text): RuleChange => ({ kind: 'added', text })),
  ];
}

/** A rule line by line. */
export const ruleTexts = (
  { name, conditions, actions, unknownHits }: RuleContent,
  names: ChoiceNames = noNames,
): string[] => [
  `名称：${name}`,
  ...conditions.map((condition) => `条件：${conditionText(condition, names)}`),
  ...actionTexts(actions).map((text) => `动作：${text}`),
  `条件未知时：${unknownHits ? '视为命中' : '视为未命中'}`,
];
