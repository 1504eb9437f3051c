import {
  AMOUNT_PATTERN,
  POSITIVE_AMOUNT_PATTERN,
  SIGNED_AMOUNT_PATTERN,
  SIGNED_OR_ZERO_AMOUNT_PATTERN,
} from '@hengtai/contract/values/money';
import { ID_FORMAT } from '@hengtai/contract/wire/schema';
import type { TSchema } from '@sinclair/typebox';

/**
 * Converts the alternative forms that bodies may use: ids as decimal strings, amounts as short JSON numbers. Every other
 * value is returned unchanged, so that the schema check refuses it.
 */
export type Normalizer = (value: unknown, hasExactNumbers: boolean) => unknown;

const AMOUNTS: ReadonlySet<unknown> = new Set([
  AMOUNT_PATTERN,
  POSITIVE_AMOUNT_PATTERN,
  SIGNED_AMOUNT_PATTERN,
  SIGNED_OR_ZERO_AMOUNT_PATTERN,
]);
const ID_TEXT = /^(0|[1-9][0-9]{0,15})$/;

export const isId = (schema: TSchema): boolean => schema['format'] === ID_FORMAT;
export const isAmount = (schema: TSchema): boolean => schema['type'] === 'string' && AMOUNTS.has(schema['pattern']);

/** @returns undefined when no value of the schema has an alternative form */
export function normalizerFor(schema: TSchema): Normalizer | undefined {
  if (isId(schema)) return readId;
  if (isAmount(schema)) return readAmount;
  if (schema['type'] === 'array') return arrayNormalizer(schema['items']);
  if (schema['type'] === 'object') return objectNormalizer(schema);
  const parts: readonly TSchema[] = schema['anyOf'] ?? [];
  const found = parts.flatMap((part) => normalizerFor(part) ?? []);
  // With two candidates the intended one is ambiguous, so neither is applied.
  return found.length === 1 ? found[0] : undefined;
}

function arrayNormalizer(items: TSchema | undefined): Normalizer | undefined {
  const normalize = items && normalizerFor(items);
  return normalize && ((value, exact) => (Array.isArray(value) ? value.map((item) => normalize(item, exact)) : value));
}

function objectNormalizer(schema: TSchema): Normalizer | undefined {
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  const fields = Object.entries(properties).flatMap(([field, property]) => {
    const normalize = normalizerFor(property);
    return normalize ? [[field, normalize] as const] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, exact) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const copy: Record<string, unknown> = { ...value };
    for (const [field, normalize] of fields) {
      if (Object.hasOwn(copy, field)) copy[field] = normalize(copy[field], exact);
    }
    return copy;
  };
}

function readId(value: unknown): unknown {
  if (typeof value !== 'string' || !ID_TEXT.test(value)) return value;
  const id = Number(value);
  return Number.isSafeInteger(id) ? id : value;
}

const readAmount: Normalizer = (value, exact) => (typeof value === 'number' && exact ? plainDecimal(value) : value);

/** A number of at most 15 significant digits as a plain decimal, without an exponent. */
function plainDecimal(value: number): string {
  const text = String(value);
  const [, sign = '', first = '', rest = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  return exponent === undefined ? text : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

const SIGNIFICANT_DIGITS_MAX = 15;
const NUMBER_LENGTH_MAX = 40;
const NUMBERS = new RegExp(`-?\\d[\\d.eE+-]{0,${NUMBER_LENGTH_MAX}}`, 'g');

/**
 * Whether every number of a JSON text survives parsing. A double may round numbers with more than 15 significant digits;
 * exponent form is not accepted, nor is anything longer than 40 characters.
 *
 * Texts are skipped without a regular expression: one that repeats over megabytes exceeds its stack in a process that has
 * compiled so many expressions that V8 no longer optimizes them.
 */
export function hasExactNumbers(json: string): boolean {
  let start = 0;
  while (start < json.length) {
    const quote = indexOfQuote(json, start);
    for (const [number] of json.slice(start, quote).matchAll(NUMBERS)) if (!isExactNumber(number)) return false;
    start = endOfText(json, quote);
  }
  return true;
}

function isExactNumber(number: string): boolean {
  const digits = number.replace(/[-.]/g, '').replace(/^0+/, '');
  return number.length <= NUMBER_LENGTH_MAX && !/e/i.test(number) && digits.length <= SIGNIFICANT_DIGITS_MAX;
}

/** The position behind the text that begins with the quote at `start`. */
function endOfText(json: string, start: number): number {
  let end = indexOfQuote(json, start + 1);
  while (end < json.length && isEscaped(json, end)) end = indexOfQuote(json, end + 1);
  return end + 1;
}

function indexOfQuote(json: string, start: number): number {
  const at = json.indexOf('"', start);
  return at === -1 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** Parsed bodies that contain a number which parsing may have rounded. */
const inexact = new WeakSet<object>();

/**
 * Parses JSON and remembers whether its numbers are exact, for `isExact`.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const body: unknown = JSON.parse(text);
  if (typeof body === 'object' && body !== null && !hasExactNumbers(text)) inexact.add(body);
  return body;
}

/** Whether no number of a body parsed by `parseJson` may have been rounded. */
export const isExact = (body: unknown): boolean => typeof body !== 'object' || body === null || !inexact.has(body);
