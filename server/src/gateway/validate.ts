import { Decimals } from '@hengtai/contract/gateway/fields.schema';
import { DECIMALS_MAX } from '@hengtai/contract/wire/input-values';
import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler';
import { isAmount } from '../http/wire-values.ts';

/** What is wrong at a place of a value; `text` begins with the path: `/3/at: integer expected`. */
export interface Fault {
  path: string;
  text: string;
}

const FAULTS_MAX = 40;
const AMOUNT_OF_ANY_LENGTH = /^-?(?:0|[1-9][0-9]{0,17})\.([0-9]+)$/;

/** The first fault of each path, in English, for the engineers of the platform. */
export function findFaults(check: TypeCheck<TSchema>, value: unknown): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of check.Errors(value)) {
    const { path } = error;
    if (!faults.has(path)) faults.set(path, { path, text: `${path}: ${problemOf(error)}` });
    if (faults.size >= FAULTS_MAX) break;
  }
  return [...faults.values()];
}

function problemOf({ type, schema, value }: ValueError): string {
  if (type === ValueErrorType.ObjectRequiredProperty) return `required: ${describe(schema)}`;
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'unknown field';
  const decimals = countDecimals(schema, value);
  if (decimals > DECIMALS_MAX) return `at most ${DECIMALS_MAX} decimals, ${decimals} given`;
  return `${describe(schema)} expected`;
}

/** The decimals of an amount, or the number of decimals that a market asks for; 0 for other fields and values. */
function countDecimals(schema: TSchema, value: unknown): number {
  if (schema.description === Decimals.description) return Number.isInteger(value) ? Number(value) : 0;
  if (!isAmount(schema) || typeof value !== 'string') return 0;
  return AMOUNT_OF_ANY_LENGTH.exec(value)?.[1]?.length ?? 0;
}

/** A value of the schema in words, from its description or its bounds. */
export function describe(schema: TSchema): string {
  const { description, type, anyOf, minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema;
  if (typeof description === 'string') return description;
  if (Array.isArray(anyOf)) return describeOptions(anyOf as TSchema[]);
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (type === 'integer' && maximum !== undefined) return `integer from ${minimum ?? 0} to ${maximum}`;
  if (type === 'string' && maxLength !== undefined) return `text of ${minLength} to ${maxLength} characters`;
  if (type === 'array' && maxItems !== undefined) return `list of ${minItems} to ${maxItems} entries`;
  return typeof type === 'string' ? type : 'another value';
}

function describeOptions(options: readonly TSchema[]): string {
  return `one of ${options.map(describe).join(', ')}`;
}
