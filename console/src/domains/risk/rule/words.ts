import type { RuleState } from '@hengtai/contract/risk/rule/calls';
import { RULE } from '@hengtai/contract/risk/rule/facts';
import type { RuleRow } from '@hengtai/contract/risk/rule/schema';
import { actionTexts } from '@hengtai/contract/risk/rule/text';
import type { Tone } from '../../../ui/value/StateTag.tsx';

export const ruleTones: Readonly<Record<number, Tone>> = {
  [RULE.trial]: 'run',
  [RULE.effective]: 'good',
  [RULE.disabled]: 'bad',
};

/** What the button that moves a rule to a state says. Nothing becomes a draft again. */
export const moveVerbs: Readonly<Record<RuleState, string>> = { 0: '', 1: '试运行', 2: '生效', 3: '停用' };

/** Whether a move needs a second person while four-eyes are locked. */
export const needsChecker = (from: RuleState, to: RuleState): boolean =>
  from === RULE.effective || to === RULE.effective;

/** Rules in effect first, then those on trial, drafts and disabled ones. */
export function sortRules(rules: readonly RuleRow[]): RuleRow[] {
  const order: readonly RuleState[] = [RULE.effective, RULE.trial, RULE.draft, RULE.disabled];
  return rules.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.id - b.id);
}

/** What follows from moving a rule to a state, in one or two sentences. */
export function consequenceOf({ state, actions }: Pick<RuleRow, 'state' | 'actions'>, to: RuleState): string {
  const effects = actionTexts(actions).join('、') || '只记录命中';
  if (to === RULE.effective) return `此后申请的提现命中时：${effects}。已申请的提现不受影响。`;
  const what = to === RULE.trial ? '此后申请的提现只记录是否命中，不影响审核' : '此后申请的提现不再用它判断';
  return state === RULE.effective ? `${what}；不再执行：${effects}。已有的结果不变。` : `${what}。已有的结果不变。`;
}
