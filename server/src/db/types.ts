import { canonical } from '@hengtai/contract/money';
// The one part of the driver that knows its types: who needs no connection waits for nothing else to load.
import TypeOverrides from 'pg/lib/type-overrides';

const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;

/** Numeric columns arrive canonical, bigint ones as numbers: ids, counts and milliseconds all lie below 2^53. */
export const driverTypes = new TypeOverrides();
driverTypes.setTypeParser(NUMERIC, canonical);
driverTypes.setTypeParser(INT8, Number);
driverTypes.setTypeParser(INT8_ARRAY, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);

/** What a value is to the programs, from the text that PostgreSQL has for it, by the number of its type. */
export const parserOf = (type: number): ((text: string) => unknown) => driverTypes.getTypeParser(type, 'text') as never;
