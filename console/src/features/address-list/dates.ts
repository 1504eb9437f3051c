const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The date of publication of a list, which has no zone, as unix milliseconds; undefined for other text. */
export function parseDate(text: string): number | undefined {
  const at = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

export const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);
