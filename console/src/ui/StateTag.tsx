import './ui.css';
/** wait: someone must act; run: on its way; good, bad: ended well or badly; warn: look here; idle: ended otherwise. */
export type Tone = 'wait' | 'run' | 'good' | 'bad' | 'warn' | 'idle';

interface Props {
  state: string | number;
  labels: Readonly<Record<string | number, string>>;
  tones?: Readonly<Record<string | number, Tone>>;
}

/** A state as a dot and its word, from the contract's labels. */
export function StateTag({ state, labels, tones }: Props) {
  const label = labels[state];
  return (
    <span className="ht-state" data-tone={tones?.[state] ?? 'idle'}>
      <i aria-hidden />
      {label ?? `未知（${state}）`}
    </span>
  );
}
