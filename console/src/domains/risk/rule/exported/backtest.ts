import { rule } from '@hengtai/contract/risk/rule/calls';
import type { BacktestResult, RuleBacktest } from '@hengtai/contract/risk/rule/schema';
import { send } from '../../../../api/client.ts';

/** Tests rules over a period, with all that are in effect if wanted. */
export type Backtest = (options: Pick<RuleBacktest, 'from' | 'to' | 'effective'>) => Promise<{ data: BacktestResult }>;

export const backtestOf =
  (tested: RuleBacktest): Backtest =>
  (options) =>
    send(rule.backtest, { ...tested, ...options });
