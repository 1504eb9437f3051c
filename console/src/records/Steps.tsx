import './steps.css';
import type { ReactNode } from 'react';
import { Time } from '../ui/value/Time.tsx';

export interface Step {
  word: string;
  /** stopped: the process ended here without reaching its goal. */
  state: 'done' | 'current' | 'next' | 'stopped';
  /** Who did it, or whom the step waits for. */
  who?: ReactNode;
  /** Unix milliseconds. */
  at?: number | null;
}

/** Read out before the word, because the mark says it by its shape only. */
const stateWords = { done: '已完成', current: '进行中', next: '未开始', stopped: '已终止' } as const;

/** The way of a record from its request to its end. Marks differ in shape, so that they need no colour. */
export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol className="ht-records-steps" aria-label="流程">
    {steps.map(({ word, state, who, at }) => (
      <li key={word} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
        <i role="img" aria-label={stateWords[state]} title={stateWords[state]} />
        <b>{word}</b>
        <span>
          {who} {at !== undefined && at !== null && <Time value={at} near />}
        </span>
      </li>
    ))}
  </ol>
);

/** Steps after the current one, of which nothing is known yet. */
export const nextSteps = (...words: string[]): Step[] => words.map((word) => ({ word, state: 'next' }));
