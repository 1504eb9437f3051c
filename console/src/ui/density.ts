import { usePreference } from './preference.ts';

export type Density = 'comfortable' | 'compact';

const isDensity = (stored: unknown): Density | undefined =>
  stored === 'comfortable' || stored === 'compact' ? stored : undefined;

export const ROW_HEIGHT: Readonly<Record<Density, number>> = { comfortable: 40, compact: 32 };

/** How close rows stand, in every list. */
export const useDensity = () => usePreference<Density>('density', 'comfortable', isDensity);
