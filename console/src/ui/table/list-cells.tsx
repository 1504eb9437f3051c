import './row-cells.css';
import { Money } from '../value/Money.tsx';
import { StateTag, type Tone } from '../value/StateTag.tsx';
import { Time } from '../value/Time.tsx';

// Renderers of list columns.

/** Free text in one line; hover gives all of it. */
export const textCell = (value: string | null) => (
  <span className="ht-table-text" title={value ?? undefined}>
    {value || '--'}
  </span>
);

export const timeCell = (value: number | null) => <Time value={value} near />;

export const moneyCell = (value: string | null) => <Money value={value} />;

export const stateCell =
  (labels: Readonly<Record<string | number, string>>, tones: Readonly<Record<string | number, Tone>>) =>
  (value: string | number) => <StateTag state={value} labels={labels} tones={tones} />;
