import type { Module } from '../../module.ts';
import { backtest } from './backtest.service.ts';
import { backfillFacts } from './fact.jobs.ts';
import { rulePayout } from './rule-result.steps.ts';
import { listRules, readRule, ruleSave, ruleState } from './rule.service.ts';

export const ruleModule = {
  routes: { list: listRules, detail: readRule, save: ruleSave, state: ruleState, backtest },
  payout: rulePayout,
  jobs: [{ name: 'fact-backfill', everyMs: 10_000, run: backfillFacts }],
} satisfies Module<'rule'>;
