import { usePreference } from '../browser/preference.ts';

export type Density = 'comfortable' | 'compact';

export const parseDensity = (stored: unknown): Density | undefined =>
  stored === 'comfortable' || stored === 'compact' ? stored : undefined;

/** Row height in pixels. */
export const ROW_HEIGHT: Readonly<Record<Density, number>> = { comfortable: 48, compact: 36 };

/** Height of the heading row of a table in pixels. */
export const HEAD_HEIGHT = 36;

/** Row density preference of all lists. */
export const useDensity = () => usePreference<Density>('density', 'comfortable', parseDensity);
