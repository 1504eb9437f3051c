import './backtest.css';
import type { BacktestResult as Result } from '@hengtai/contract/risk/rule/schema';
import { Radio } from 'antd';
import { useState } from 'react';
import { settle } from '../../../../api/display-error.ts';
import { DateRange } from '../../../../ui/form/DateRange.tsx';
import { ErrorMessage } from '../../../../ui/dialog/ErrorMessage.tsx';
import { GreyedAction } from '../../../../ui/dialog/GreyedAction.tsx';
import type { DisplayError } from '../../../../ui/value/display-error.ts';
import { type Range, presetRange, useZone } from '../../../../ui/value/zone.ts';
import { BacktestResult } from './BacktestResult.tsx';
import type { Backtest } from './backtest.ts';

interface Props {
  /** Tests the rule over a period; undefined while it is incomplete. */
  backtest: Backtest | undefined;
  /** Why it cannot be tested. */
  disabledReason?: string | undefined;
  /** Whether the rules in effect can be tested together with it. */
  canCombine: boolean;
}

const SCOPES = [
  { value: false, label: '仅此规则' },
  { value: true, label: '生效的规则加上此规则' },
];

/** Runs rules over the recorded withdrawals of a period, on demand. */
export function BacktestPanel({ backtest, disabledReason, canCombine }: Props) {
  const zone = useZone();
  const [range, setRange] = useState<Range | undefined>(() => presetRange('近30天', Date.now(), zone));
  const [isCombined, setCombined] = useState(false);
  const { run, isRunning, result, error } = useBacktest();
  const start = () => {
    if (backtest) void run(() => backtest({ ...(canCombine && isCombined && { effective: true }), ...range }));
  };
  return (
    <div className="ht-rule-backtest">
      <div className="ht-rule-backtest-input">
        {canCombine && (
          <Radio.Group
            aria-label="回测范围"
            options={SCOPES}
            value={isCombined}
            onChange={({ target }) => setCombined(target.value === true)}
          />
        )}
        <DateRange value={range} onChange={setRange} />
        <GreyedAction look="button" disabledReason={isRunning ? '正在回测' : disabledReason} onClick={start}>
          {isRunning ? '回测中…' : '开始回测'}
        </GreyedAction>
      </div>
      <div aria-live="polite" aria-busy={isRunning}>
        {error && <ErrorMessage error={error} />}
        {result && <BacktestResult result={result} />}
      </div>
    </div>
  );
}

/** A backtest runs only when it is asked for: it reads every withdrawal of the period, and one runs at a time. */
function useBacktest() {
  const [isRunning, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<{ result?: Result; error?: DisplayError | undefined }>({});
  const run = async (test: () => ReturnType<Backtest>) => {
    setRunning(true);
    setOutcome({});
    const error = await settle(async () => setOutcome({ result: (await test()).data }));
    if (error) setOutcome({ error });
    setRunning(false);
  };
  return { run, isRunning, ...outcome };
}
