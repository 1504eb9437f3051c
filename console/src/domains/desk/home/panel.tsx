import { type ReactNode } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { Money } from '../../../ui/value/Money.tsx';

interface QueryState {
  data: unknown;
  error: unknown;
  refetch: () => unknown;
}

/** Error state of a panel. Data that is already loaded stays displayed when a refresh fails. */
export const panelState = ({ data, error, refetch }: QueryState) => ({
  error: !data && error ? toDisplayError(error) : undefined,
  onRetry: () => void refetch(),
});

export const renderExact = (value: string | null, showPlus = false): ReactNode => (
  <Money value={value} showPlus={showPlus} />
);
export const formatCount = (value: number): string => value.toLocaleString('en-US');
export const dayKey = ({ day }: { day: string }): string => day;

export const sumDays = <Day,>(days: readonly Day[], of: (day: Day) => number): number =>
  days.reduce((all, day) => all + of(day), 0);
