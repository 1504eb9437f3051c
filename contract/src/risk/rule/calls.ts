import { ABILITY } from '../../authority/ability.ts';
import { action, call, read } from '../../wire/endpoint.ts';
import { ruleActions, type ruleStates } from './facts.ts';
import type {
  BacktestResult,
  RuleBacktest,
  RuleDetail,
  RuleList,
  RuleRow,
  RuleSave,
  RuleStateInput,
} from './schema.ts';
import type { IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

export type RuleState = keyof typeof ruleStates;

/** States that a rule can move to. Nothing becomes a draft again. */
export const ruleMoves: Readonly<Record<RuleState, readonly RuleState[]>> = {
  0: [1, 2, 3],
  1: [2, 3],
  2: [1, 3],
  3: [1, 2],
};

/** Rules over withdrawals; only for operators with full scope. */
export const rule = {
  list: read<EmptyInput, RuleList>()('rule/list', '提现规则', { ability: ABILITY.platform }),
  detail: read<IdInput, RuleDetail>()('rule/detail', '规则详情', { ability: ABILITY.platform }),
  save: action<RuleSave, RuleRow>()(ruleActions.save, 'rule/save'),
  state: action<RuleStateInput, RuleRow>()(ruleActions.state, 'rule/state'),
  /** What rules would have hit among the recorded withdrawals. */
  backtest: call<RuleBacktest, BacktestResult>()({
    method: 'POST',
    path: 'rule/backtest',
    summary: '规则回测',
    kind: 'read',
    ability: ABILITY.platform,
  }),
};
