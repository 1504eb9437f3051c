import { canonical } from '@hengtai/contract/values/money';
// Imports only the type parsers of the driver, so that modules without a connection do not load all of it.
import TypeOverrides from 'pg/lib/type-overrides';

const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;

/** Parses numeric to canonical decimal strings and bigint to numbers: ids, counts and milliseconds are below 2^53. */
export const driverTypes = new TypeOverrides();
driverTypes.setTypeParser(NUMERIC, canonical);
driverTypes.setTypeParser(INT8, Number);
driverTypes.setTypeParser(INT8_ARRAY, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);

/** The parser for a PostgreSQL type, by its OID; takes the text format. */
export const parserOf = (type: number): ((text: string) => unknown) => driverTypes.getTypeParser(type, 'text') as never;
