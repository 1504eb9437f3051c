import { usePreference } from './preference.ts';

export type Density = 'comfortable' | 'compact';

const parseDensity = (stored: unknown): Density | undefined =>
  stored === 'comfortable' || stored === 'compact' ? stored : undefined;

/** Row height in pixels. */
export const ROW_HEIGHT: Readonly<Record<Density, number>> = { comfortable: 40, compact: 32 };

/** Row density preference of all lists. */
export const useDensity = () => usePreference<Density>('density', 'comfortable', parseDensity);
