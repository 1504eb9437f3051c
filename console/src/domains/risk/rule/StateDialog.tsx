import { type RuleState, rule } from '@hengtai/contract/risk/rule/calls';
import { RULE, ruleStates } from '@hengtai/contract/risk/rule/facts';
import type { RuleRow } from '@hengtai/contract/risk/rule/schema';
import { actionTexts } from '@hengtai/contract/risk/rule/text';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { BacktestPanel } from './exported/BacktestPanel.tsx';
import { backtestOf } from './exported/backtest.ts';
import { RuleConditions } from './RuleLine.tsx';
import { choicesOf, useChoiceNames } from './exported/choice-names.ts';
import { consequenceOf, moveVerbs, needsChecker } from './words.ts';

interface Props {
  row: RuleRow;
  to: RuleState;
  onClose: () => void;
}

/** Moves a rule to another state: level 3 if it is in effect; with a backtest if it ends or begins to decide. */
export function StateDialog({ row, to, onClose }: Props) {
  const names = useChoiceNames(choicesOf(row.conditions));
  const requiresChecker = useFourEyesLocked() && needsChecker(row.state, to);
  const consequence = consequenceOf(row, to);
  return (
    <ActionDialog
      call={rule.state}
      input={{ id: row.id, state: to, seen: row.updatedAt }}
      title={`${moveVerbs[to]}规则：${row.name}`}
      verb={moveVerbs[to]}
      needsChecker={requiresChecker}
      details={[
        { label: '状态', value: `${ruleStates[row.state]} → ${ruleStates[to]}` },
        { label: '版本', value: `第 ${row.version} 版` },
        { label: '条件', value: <RuleConditions conditions={row.conditions} names={names} />, wide: true },
        { label: '动作', value: actionTexts(row.actions).join('、') || '只记录命中', wide: true },
      ]}
      consequence={requiresChecker ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      successText={`规则「${row.name}」已改为${ruleStates[to]}`}
      {...(row.state === RULE.effective && { challenge: { label: '请输入规则的编号以确认', expect: String(row.id) } })}
      stateText={(state) => ruleStates[state as RuleState]}
      onClose={onClose}
    >
      {needsChecker(row.state, to) && <BacktestPanel backtest={backtestOf({ ids: [row.id] })} canCombine={false} />}
    </ActionDialog>
  );
}
