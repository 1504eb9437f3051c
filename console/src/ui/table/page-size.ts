import { PAGE_SIZE } from '@hengtai/contract/wire/list';
import { ROW_HEIGHT, parseDensity } from './density.ts';
import { readPreference, usePreference } from '../browser/preference.ts';

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

const AUTO = 'auto';
const parseAuto = (stored: unknown) => (stored === AUTO ? AUTO : undefined);
const AUTO_PREFERENCE = ['page.size', undefined, parseAuto] as const;

/** Whether lists open with the page size that fills the window, and a function that chooses so. */
export function useAutoPageSize() {
  const [chosen, choose] = usePreference<typeof AUTO | undefined>(...AUTO_PREFERENCE);
  return [chosen === AUTO, (isAuto: boolean) => choose(isAuto ? AUTO : undefined)] as const;
}

/** Page size of a list whose address names none. */
export const defaultPageSize = (above = 0): number =>
  readPreference<typeof AUTO | undefined>(...AUTO_PREFERENCE) === AUTO ? autoPageSize(above) : PAGE_SIZE;
