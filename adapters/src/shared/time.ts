/**
 * Reads a time of an exchange, such as `2026-03-08T14:05:09Z`, as unix milliseconds.
 *
 * @throws Error for another text, and for a day that its month does not have: `Date` takes 31 February for a day of March
 */
export function timeOf(text: string): number {
  const at = Date.parse(text);
  const date = text.slice(0, 10);
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(at) || Number.isNaN(day) || !new Date(day).toISOString().startsWith(date))
    throw new Error(`${text} is not a time`);
  return at;
}
