import './state-tag.css';
/**
 * A full dot, needs somebody: wait, warn. A ring, under way: run. A dash, over or in order: good, bad, idle.
 */
export type Tone = 'wait' | 'run' | 'good' | 'bad' | 'warn' | 'idle';

interface Props {
  state: string | number;
  labels: Readonly<Record<string | number, string>>;
  tones?: Readonly<Record<string | number, Tone>>;
}

/** A state as coloured mark and label from the contract. */
export function StateTag({ state, labels, tones }: Props) {
  const label = labels[state];
  return (
    <span className="ht-value-state" data-tone={tones?.[state] ?? 'idle'}>
      <i aria-hidden />
      {label ?? `未知（${state}）`}
    </span>
  );
}
