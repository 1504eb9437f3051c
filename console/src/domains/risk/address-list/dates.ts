import { isRealDate } from '@hengtai/contract/values/real-date';

/** The date of publication of a list, which has no zone, as unix milliseconds; undefined for other text. */
export function parseDate(text: string): number | undefined {
  return isRealDate(text) ? Date.parse(`${text}T00:00:00Z`) : undefined;
}

export const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);
