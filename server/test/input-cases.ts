import type { CallSpec } from '@hengtai/contract/endpoint';
import { AMOUNT_PATTERN, POSITIVE_AMOUNT_PATTERN } from '@hengtai/contract/money';
import { ID_FORMAT, IGNORED_WHEN, type IgnoredWhen } from '@hengtai/contract/schema';
import type { TSchema } from '@sinclair/typebox';

/** A value that a field must reject, in the form that goes into a body or a query. */
export interface Bad {
  name: string;
  value: unknown;
}

const bad = (name: string, value: unknown): Bad => ({ name, value });

const LONE_HIGH = '\ud800';
const LONE_LOW = 'x\udc00';

/** Values that every field must reject. */
const always: readonly Bad[] = [
  bad('null', null),
  bad('object', {}),
  bad('object with a prototype', JSON.parse('{"__proto__": {"id": 1}}')),
  bad('array', []),
  bad('nested array', [[1]]),
  bad('a thousand arrays deep', JSON.parse(`${'['.repeat(1000)}1${']'.repeat(1000)}`)),
];

const badIntegers: readonly Bad[] = [
  bad('-5', -5),
  bad('1.5', 1.5),
  bad('2^53', 2 ** 53),
  bad('1e300', 1e300),
  bad('true', true),
];
/** Invalid ids. An id may be a decimal string; every other integer must be a JSON number. */
const badIdTexts = ['1.0', '01x', '9007199254740992', '0x1'].map((text) => bad(`"${text}"`, text));

const badTexts: readonly Bad[] = [bad('number', 1), bad('true', true), bad('huge', 'x'.repeat(100_000))];

/** JSON numbers are valid amounts only if they are short enough to be exact. */
const badAmounts: readonly Bad[] = [
  bad('a number below zero', -1),
  bad('a number of 16 digits', 1.234567890123456),
  bad('1e21', 1e21),
  bad('true', true),
  bad('huge', 'x'.repeat(100_000)),
];

/** Characters that every text except a password must reject. */
const badCharacters: readonly Bad[] = [
  bad('zero byte', 'a\u0000b'),
  bad('lone high surrogate', LONE_HIGH),
  bad('lone low surrogate', LONE_LOW),
];

const badIds: readonly Bad[] = [
  bad('number', 1),
  bad('empty', []),
  bad('twice the same', [1, 1]),
  bad('0', [0]),
  bad('-1', [-1]),
  bad('text', ['x 1']),
  bad('twice the same, once as text', [1, '1']),
  bad('null within', [null]),
  bad(
    '201 of them',
    Array.from({ length: 201 }, (_, index) => index + 1),
  ),
];

/** Texts that are not amounts. They are sent to every text and number field and must never be accepted as a number. */
export const NO_AMOUNTS = [
  '1e5',
  '-1',
  '0.0000000000000000001',
  'NaN',
  'Infinity',
  '',
  ' 1',
  '1 ',
  '١',
  '+1',
  '01',
  '0x1',
  '1,000',
  '.5',
  '5.',
];

/** Bad values for a body field. The filter of an export accepts an empty text and -1 as "no filter". */
export function badFor(schema: TSchema, filter = false): readonly Bad[] {
  return filter ? every(schema).filter(({ value }) => value !== '' && value !== -1) : every(schema);
}

function every(schema: TSchema): readonly Bad[] {
  const anyOf: unknown = schema['anyOf'];
  const some: TSchema | undefined = Array.isArray(anyOf) ? anyOf.find((part) => part.type === 'string') : undefined;
  // A text or null.
  if (some) return badFor(some).filter(({ value }) => value !== null);
  // A choice of numbers, or a constant.
  if (Array.isArray(anyOf) || typeof schema['const'] === 'number')
    return [...always, bad('no such choice', 99), bad('text', '1'), bad('1.5', 1.5), bad('-1', -1)];
  if (schema['type'] === 'integer') {
    const zero = schema['minimum'] === 1 ? [bad('0', 0)] : [];
    const above = schema['maximum'] === 13 ? [bad('14', 14)] : [];
    const texts = schema['format'] === ID_FORMAT ? badIdTexts : [bad('text', '1')];
    return [
      ...always,
      ...badIntegers,
      ...texts,
      ...zero,
      ...above,
      ...NO_AMOUNTS.map((text) => bad(`"${text}"`, text)),
    ];
  }
  if (schema['type'] === 'boolean') return [...always, bad('text', 'true'), bad('1', 1), bad('0', 0)];
  if (schema['type'] === 'array') {
    const ids = schema['minItems'] === 1 ? badIds : badIds.filter(({ name }) => name !== 'empty');
    return [...always.filter(({ name }) => name !== 'array'), ...ids];
  }
  if (schema['pattern'] === AMOUNT_PATTERN || schema['pattern'] === POSITIVE_AMOUNT_PATTERN) {
    return [...always, ...badAmounts, ...NO_AMOUNTS.map((text) => bad(`"${text}"`, text))];
  }
  const short = typeof schema['minLength'] === 'number' && schema['minLength'] > 0 ? [bad('empty', '')] : [];
  const account = String(schema['pattern']).includes('{2,64}')
    ? ['a', '', 'a b', '中文账号', "a'--", 'a/b', 'a\n', 'a%', 'x'.repeat(65)].map((text) => bad(`"${text}"`, text))
    : [];
  return [...always, ...badTexts, ...(schema['pattern'] === undefined ? [] : badCharacters), ...short, ...account];
}

/** Bad values for a query field, as text that is appended after the `=` without further encoding. */
export function badQueryFor(field: string, schema: TSchema, isList: boolean): readonly Bad[] {
  const anyOf: unknown = schema['anyOf'];
  const choice = Array.isArray(anyOf);
  if (field === 'sort') {
    const tries = [
      'no_such_field',
      'id desc',
      'id;drop table users',
      "id'--",
      '(select 1)',
      '--id',
      'ID',
      'a.id',
      'constructor',
      '__proto__',
      'id,id',
    ];
    return tries.map((text) => bad(text, encodeURIComponent(text)));
  }
  if (schema['type'] === 'integer' || (choice && anyOf.every((part: TSchema) => typeof part['const'] === 'number'))) {
    const amounts = NO_AMOUNTS.filter((text) => text !== '' && !(text === '-1' && (isList || field === 'platform')));
    const zero = schema['minimum'] === 1 ? ['0'] : [];
    const edges = { page: ['10000001'], size: ['201', '10000'], platform: ['5'] }[field] ?? [];
    const beyond = choice
      ? ['99']
      : [String((schema['maximum'] ?? Number.MAX_SAFE_INTEGER) + 1), '99999999999999999999'];
    return [
      '-5',
      '1.5',
      'abc',
      'null',
      'true',
      '1;1',
      "1' or '1'='1",
      '{}',
      '[1]',
      ...zero,
      ...edges,
      ...beyond,
      ...amounts,
    ].map((text) => bad(text, encodeURIComponent(text)));
  }
  if (choice) return [bad('no such choice', 'no-such-choice')];
  return [bad('zero byte', '%00'), bad('huge', 'x'.repeat(5_000)), bad('escape', '%1b')];
}

export const UNKNOWN_FIELDS = [
  'surplus',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'ID',
  ' id',
  'id ',
  '',
  '0',
];

/** A valid input for a schema whose ids and names match no record. */
export function validFor(call: CallSpec, input: TSchema): Record<string, unknown> {
  const properties: Record<string, TSchema> = input['properties'] ?? {};
  const required: string[] = input['required'] ?? [];
  return Object.fromEntries(required.map((field) => [field, valueFor(field, properties[field], call)]));
}

/** Fields that must be sent so that the schema does not ignore this one. */
export function needed(schema: TSchema): Record<string, unknown> {
  const when = schema[IGNORED_WHEN] as IgnoredWhen | undefined;
  return when ? { [when.field]: when.value === 0 ? 1 : 0 } : {};
}

function valueFor(field: string, schema: TSchema | undefined, call: CallSpec): unknown {
  const first: unknown = schema?.['const'] ?? schema?.['anyOf']?.[0]?.const;
  if (first !== undefined) return first;
  if (schema?.['type'] === 'integer')
    return field === 'type' ? 3 : Math.min(999_999_999, schema['maximum'] ?? Infinity);
  if (schema?.['pattern'] === AMOUNT_PATTERN || schema?.['pattern'] === POSITIVE_AMOUNT_PATTERN) return '1';
  if (schema?.['type'] === 'boolean') return false;
  if (schema?.['type'] === 'array') {
    const items: TSchema | undefined = schema['items'];
    return [items?.['type'] === 'object' ? validFor(call, items) : 999_999_999];
  }
  const text = `valid-${call.path.replaceAll(/\W/g, '-')}`;
  // Where the generated text does not match the pattern, the field may accept an empty one.
  const pattern = new RegExp(String(schema?.['pattern'] ?? ''), 'u');
  return !pattern.test(text) && pattern.test('') ? '' : text;
}
