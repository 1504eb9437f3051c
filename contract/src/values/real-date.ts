const LONG_MONTHS = '(0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])';
const SHORT_MONTHS = '(0[469]|11)-(0[1-9]|[12]\\d|30)';
const FEBRUARY = '02-(0[1-9]|1\\d|2[0-8])';
/** Years that 4 divides, of those that 100 divides only the ones that 400 divides. */
const LEAP_YEAR = '([1-9]\\d(0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)';

/**
 * A date YYYY-MM-DD of the calendar, from the year 1000 on. A pattern, because `Date` takes 31 February for a day of March, and
 * because schemas can contain it.
 */
export const DATE_PATTERN = `^([1-9]\\d{3}-(${LONG_MONTHS}|${SHORT_MONTHS}|${FEBRUARY})|${LEAP_YEAR}-02-29)$`;

const DATE = new RegExp(DATE_PATTERN);

/** Whether the calendar has the date YYYY-MM-DD. */
export const isRealDate = (date: string): boolean => DATE.test(date);
