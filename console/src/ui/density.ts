import { usePreference } from './preference.ts';

export type Density = 'comfortable' | 'compact';

const parseDensity = (stored: unknown): Density | undefined =>
  stored === 'comfortable' || stored === 'compact' ? stored : undefined;

/** Row height in pixels. */
export const ROW_HEIGHT: Readonly<Record<Density, number>> = { comfortable: 48, compact: 36 };

/** Height of the heading row of a table in pixels. */
export const HEAD_HEIGHT = 36;

/** Row density preference of all lists. */
export const useDensity = () => usePreference<Density>('density', 'comfortable', parseDensity);

/** Height above and below the rows of a list, with a banner, in pixels. In a narrow window the filters take two lines. */
const FRAME_HEIGHT = 290;
const NARROW_FRAME_HEIGHT = 328;
const WIDE_FROM = 1440;
const ROWS_MIN = 5;
const ROWS_MAX = 50;

/**
 * Page size whose rows fill the window. Computed from the height of the window, not of the table, so that the rows can be
 * requested before the page is rendered.
 *
 * @param above height of what the page shows above the filters, in pixels
 */
export function autoPageSize(above = 0): number {
  const density = parseDensity(document.documentElement.dataset['density']) ?? 'comfortable';
  const { innerWidth, innerHeight } = window;
  const frame = innerWidth < WIDE_FROM ? NARROW_FRAME_HEIGHT : FRAME_HEIGHT;
  const rows = Math.floor((innerHeight - frame - above) / ROW_HEIGHT[density]);
  return Math.min(ROWS_MAX, Math.max(ROWS_MIN, rows));
}
