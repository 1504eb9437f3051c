import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, ValueErrorType } from '@sinclair/typebox/compiler';

/** What is wrong at a place of a value; `text` begins with the path: `/3/at: integer expected`. */
export interface Fault {
  path: string;
  text: string;
}

const FAULTS_MAX = 40;

/** The first fault of each path, in English, for the engineers of the platform. */
export function findFaults(check: TypeCheck<TSchema>, value: unknown): Fault[] {
  const faults = new Map<string, Fault>();
  for (const { path, type, schema } of check.Errors(value)) {
    if (!faults.has(path)) faults.set(path, { path, text: `${path}: ${problemOf(type, schema)}` });
    if (faults.size >= FAULTS_MAX) break;
  }
  return [...faults.values()];
}

function problemOf(type: ValueErrorType, schema: TSchema): string {
  if (type === ValueErrorType.ObjectRequiredProperty) return `required: ${describe(schema)}`;
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'unknown field';
  return `${describe(schema)} expected`;
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
