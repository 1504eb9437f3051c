import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { AMOUNT_PATTERN, POSITIVE_AMOUNT_PATTERN, SIGNED_OR_ZERO_AMOUNT_PATTERN } from '@hengtai/contract/values/money';
import { DATE_PATTERN } from '@hengtai/contract/values/real-date';
import { ID_FORMAT, IGNORED_WHEN, type IgnoredWhen } from '@hengtai/contract/wire/schema';
import type { TSchema } from '@sinclair/typebox';

/** A value that a field must reject, in the form that goes into a body or a query. */
export interface InvalidValue {
  name: string;
  value: unknown;
}

const invalid = (name: string, value: unknown): InvalidValue => ({ name, value });

const LONE_HIGH = '\ud800';
const LONE_LOW = 'x\udc00';

/** Values that every field must reject. */
const invalidEverywhere: readonly InvalidValue[] = [
  invalid('null', null),
  invalid('object', {}),
  invalid('object with a prototype', JSON.parse('{"__proto__": {"id": 1}}')),
  invalid('array', []),
  invalid('nested array', [[1]]),
  invalid('a thousand arrays deep', JSON.parse(`${'['.repeat(1000)}1${']'.repeat(1000)}`)),
];

const invalidIntegers: readonly InvalidValue[] = [
  invalid('-5', -5),
  invalid('1.5', 1.5),
  invalid('2^53', 2 ** 53),
  invalid('1e300', 1e300),
  invalid('true', true),
];
/** Invalid ids. An id may be a decimal string; every other integer must be a JSON number. */
const invalidIdTexts = ['1.0', '01x', '9007199254740992', '0x1'].map((text) => invalid(`"${text}"`, text));

const invalidTexts: readonly InvalidValue[] = [invalid('number', 1), invalid('true', true)];

/** JSON numbers are valid amounts only if they are short enough to be exact. */
const invalidAmounts: readonly InvalidValue[] = [
  invalid('a number below zero', -1),
  invalid('a number of 16 digits', 1.234567890123456),
  invalid('1e21', 1e21),
  invalid('true', true),
  invalid('huge', 'x'.repeat(100_000)),
];

/** Characters that every text except a password must reject. */
const invalidCharacters: readonly InvalidValue[] = [
  invalid('zero byte', 'a\u0000b'),
  invalid('lone high surrogate', LONE_HIGH),
  invalid('lone low surrogate', LONE_LOW),
];

const invalidIds: readonly InvalidValue[] = [
  invalid('number', 1),
  invalid('empty', []),
  invalid('twice the same', [1, 1]),
  invalid('0', [0]),
  invalid('-1', [-1]),
  invalid('text', ['x 1']),
  invalid('twice the same, once as text', [1, '1']),
  invalid('null within', [null]),
];

/** Texts that are not amounts. They are sent to every text and number field and must never be accepted as a number. */
export const INVALID_AMOUNT_TEXTS = [
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
export function invalidValuesFor(schema: TSchema, isFilter = false): readonly InvalidValue[] {
  return isFilter
    ? invalidValuesOf(schema).filter(({ value }) => value !== '' && value !== -1)
    : invalidValuesOf(schema);
}

function invalidValuesOf(schema: TSchema): readonly InvalidValue[] {
  // Compared with the record, and so tested with one (settings.test.ts).
  if (schema['readOnly'] === true) return [];
  const anyOf: unknown = schema['anyOf'];
  const parts: readonly TSchema[] = Array.isArray(anyOf) ? anyOf : [];
  const isNullable = parts.some((part) => part['type'] === 'null');
  const other = parts.find((part) => (isNullable ? part['type'] !== 'null' : part['type'] === 'string'));
  // A text or another kind, or null.
  if (other && (isNullable || other['type'] !== undefined))
    return invalidValuesFor(other).filter(({ value }) => value !== null);
  // A choice of numbers, or a constant.
  if (Array.isArray(anyOf) || typeof schema['const'] === 'number')
    return [
      ...invalidEverywhere,
      invalid('no such choice', 99),
      invalid('text', '1'),
      invalid('1.5', 1.5),
      invalid('-1', -1),
    ];
  if (schema['type'] === 'integer') {
    const zero = schema['minimum'] === 1 ? [invalid('0', 0)] : [];
    const aboveMaximum = schema['maximum'] === 13 ? [invalid('14', 14)] : [];
    const texts = schema['format'] === ID_FORMAT ? invalidIdTexts : [invalid('text', '1')];
    return [
      ...invalidEverywhere,
      ...invalidIntegers,
      ...texts,
      ...zero,
      ...aboveMaximum,
      ...INVALID_AMOUNT_TEXTS.map((text) => invalid(`"${text}"`, text)),
    ];
  }
  if (schema['type'] === 'boolean')
    return [...invalidEverywhere, invalid('text', 'true'), invalid('1', 1), invalid('0', 0)];
  if (schema['type'] === 'array') {
    const isOfTexts = schema['items']?.['type'] === 'string';
    const ids = invalidIds.filter(
      ({ name }) => (name !== 'empty' || schema['minItems'] === 1) && !(isOfTexts && name === 'text'),
    );
    const tooMany = Array.from({ length: Number(schema['maxItems'] ?? 0) + 1 }, (_, index) => index + 1);
    return [
      ...invalidEverywhere.filter(({ name }) => name !== 'array'),
      ...ids,
      ...(tooMany.length > 1 ? [invalid('one too many', tooMany)] : []),
    ];
  }
  if (schema['pattern'] === AMOUNT_PATTERN || schema['pattern'] === POSITIVE_AMOUNT_PATTERN) {
    return [...invalidEverywhere, ...invalidAmounts, ...INVALID_AMOUNT_TEXTS.map((text) => invalid(`"${text}"`, text))];
  }
  if (schema['pattern'] === SIGNED_OR_ZERO_AMOUNT_PATTERN) {
    const texts = INVALID_AMOUNT_TEXTS.map((text) => invalid(`"${text}"`, text));
    return [...invalidEverywhere, ...invalidAmounts, ...texts].filter(({ value }) => value !== -1 && value !== '-1');
  }
  if (schema['pattern'] === DATE_PATTERN) {
    const texts = ['2026-02-31', '2026-02-29', '2026-13-01', '0001-01-01', '2026-2-1', 'today', '2026-02-01 '];
    return [...invalidEverywhere, ...texts.map((text) => invalid(`"${text}"`, text))];
  }
  // A file of the greatest length fills the body that its call takes.
  const isFile = String(schema['pattern']).includes('base64');
  const short = typeof schema['minLength'] === 'number' && schema['minLength'] > 0 ? [invalid('empty', '')] : [];
  const accounts = String(schema['pattern']).includes('{2,64}')
    ? ['a', '', 'a b', '中文账号', "a'--", 'a/b', 'a\n', 'a%', 'x'.repeat(65)].map((text) => invalid(`"${text}"`, text))
    : [];
  return [
    ...invalidEverywhere,
    ...invalidTexts,
    invalid('huge', 'x'.repeat(100_000 + (isFile ? 0 : Number(schema['maxLength'] ?? 0)))),
    ...(schema['pattern'] === undefined ? [] : invalidCharacters),
    ...short,
    ...accounts,
  ];
}

/** Bad values for a query field, as text that is appended after the `=` without further encoding. */
export function invalidQueryValuesFor(field: string, schema: TSchema, isList: boolean): readonly InvalidValue[] {
  const anyOf: unknown = schema['anyOf'];
  const choice = Array.isArray(anyOf);
  if (field === 'sort') {
    const texts = [
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
    return texts.map((text) => invalid(text, encodeURIComponent(text)));
  }
  if (schema['type'] === 'integer' || (choice && anyOf.every((part: TSchema) => typeof part['const'] === 'number'))) {
    const amounts = INVALID_AMOUNT_TEXTS.filter(
      (text) => text !== '' && !(text === '-1' && (isList || field === 'platform')),
    );
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
    ].map((text) => invalid(text, encodeURIComponent(text)));
  }
  if (choice) return [invalid('no such choice', 'no-such-choice')];
  if (field === 'states')
    return ['99', '0,99', '0,', ',0', '0,,0', '0 0', '0;0', '[0]', `0${',0'.repeat(50)}`, '00', '0.0', '-1,0'].map(
      (text) => invalid(text, encodeURIComponent(text)),
    );
  if (field.startsWith('amount'))
    return INVALID_AMOUNT_TEXTS.filter((text) => !['', '-1'].includes(text)).map((text) =>
      invalid(text, encodeURIComponent(text)),
    );
  return [invalid('zero byte', '%00'), invalid('huge', 'x'.repeat(5_000)), invalid('escape', '%1b')];
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
export function validInputFor(call: CallSpec, input: TSchema): Record<string, unknown> {
  const properties: Record<string, TSchema> = input['properties'] ?? {};
  const required: string[] = input['required'] ?? [];
  return Object.fromEntries(required.map((field) => [field, valueFor(field, properties[field], call)]));
}

/** Fields that must be sent so that the schema does not ignore this one. */
export function requiredFieldsOf(schema: TSchema): Record<string, unknown> {
  const when = schema[IGNORED_WHEN] as IgnoredWhen | undefined;
  return when ? { [when.field]: when.value === 0 ? 1 : 0 } : {};
}

function valueFor(field: string, schema: TSchema | undefined, call: CallSpec): unknown {
  const first: unknown = schema?.['const'] ?? schema?.['anyOf']?.[0]?.const;
  if (first !== undefined) return first;
  if (schema?.['anyOf']?.some((part: TSchema) => part['type'] === 'null')) return null;
  if (schema?.['type'] === 'integer')
    return field === 'type' ? 3 : Math.min(999_999_999, schema['maximum'] ?? Infinity);
  if (schema?.['pattern'] === AMOUNT_PATTERN || schema?.['pattern'] === POSITIVE_AMOUNT_PATTERN) return '1';
  if (schema?.['pattern'] === DATE_PATTERN) return '2026-02-28';
  if (schema?.['type'] === 'boolean') return false;
  if (schema?.['type'] === 'array') {
    const items: TSchema | undefined = schema['items'];
    return [items?.['type'] === 'object' ? validInputFor(call, items) : valueFor(field, items, call)];
  }
  const text = `valid-${call.path.replaceAll(/\W/g, '-')}`.slice(0, schema?.['maxLength']);
  // Where the generated text does not match the pattern, the field may accept an empty one.
  const pattern = new RegExp(String(schema?.['pattern'] ?? ''), 'u');
  return !pattern.test(text) && pattern.test('') ? '' : text;
}
