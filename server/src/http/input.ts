import { type ListSpec, filtersOf } from '@hengtai/contract/wire/list';
import { SIGNED_OR_ZERO_AMOUNT_PATTERN, compareAmounts } from '@hengtai/contract/values/money';
import { AT_LEAST, IGNORED_WHEN, type IgnoredWhen } from '@hengtai/contract/wire/schema';
import type { FieldError } from '@hengtai/contract/wire/envelope';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, ValueErrorType } from '@sinclair/typebox/compiler';
import { refuse } from '../app/refuse.ts';
import { checkOf } from './check-of.ts';
import { isExact, normalizerFor } from './wire-values.ts';

const NUMBER = /^-?(0|[1-9][0-9]{0,15})$/;

/** Makes a parser that validates bodies without coercion. The parser throws `Refused` 422. */
function bodyParser(schema: TSchema): (body: unknown) => unknown {
  return (body) => validate(checkOf(schema), body ?? {});
}

/** Removes filters of a list that are '' or -1, which both mean "not set". */
function blankFilterRemover(schema: TSchema, list: ListSpec): (body: unknown) => unknown {
  const filters = new Set([...filtersOf(list).map(({ field }) => field), 'from', 'to', 'sort']);
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  const isBlank = ([field, value]: [string, unknown]): boolean =>
    filters.has(field) && (value === '' || (value === -1 && !isSigned(properties[field])));
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    return Object.fromEntries(Object.entries(body).filter((entry) => !isBlank(entry)));
  };
}

/** Makes a parser for query strings, which are converted by `queryValues`. The parser throws `Refused` 422. */
export function queryParser(schema: TSchema, isList: boolean): (query: unknown) => unknown {
  const convert = queryValues(schema, isList);
  return (query) => validate(checkOf(schema), convert(query));
}

/**
 * Makes a function that converts the texts of a query string to integers where the schema declares them. An empty string
 * means "not set", as does -1 in a list.
 */
export function queryValues(schema: TSchema, isList: boolean): (query: unknown) => Record<string, unknown> {
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  return (query) => {
    const values: Record<string, unknown> = Object.create(null);
    for (const [field, text] of Object.entries(query as Record<string, unknown>)) {
      const property = Object.hasOwn(properties, field) ? properties[field] : undefined;
      if (property && (text === '' || (text === '-1' && (isList || field === 'platform') && !isSigned(property))))
        continue;
      values[field] =
        property && typeof text === 'string' && NUMBER.test(text) && takesInteger(property) ? Number(text) : text;
    }
    return { ...values };
  };
}

/**
 * Like `bodyParser`, but also accepts ids as decimal strings and amounts as short JSON numbers. With a list, blank filters
 * are removed first.
 */
export function operatorBodyParser(schema: TSchema, list?: ListSpec): (body: unknown) => unknown {
  const parse = bodyParser(schema);
  const normalize = normalizerFor(schema);
  const reduce = list ? blankFilterRemover(schema, list) : ignoredFieldFilter(schema);
  return (body) => parse(normalize ? normalize(reduce(body), isExact(body)) : reduce(body));
}

/** Drops fields that are ignored because of another field's value, so that their content is not validated. */
function ignoredFieldFilter(schema: TSchema): (body: unknown) => unknown {
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  const rules = Object.entries(properties).flatMap(([field, property]) => {
    const when = property[IGNORED_WHEN] as IgnoredWhen | undefined;
    return when ? [{ field, when }] : [];
  });
  if (rules.length === 0) return (body) => body;
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const reduced: Record<string, unknown> = { ...body };
    for (const { field, when } of rules) {
      if (Object.hasOwn(reduced, when.field) && reduced[when.field] === when.value) delete reduced[field];
    }
    return reduced;
  };
}

/** For a signed amount, -1 is a value. */
const isSigned = (schema: TSchema | undefined): boolean => schema?.['pattern'] === SIGNED_OR_ZERO_AMOUNT_PATTERN;

function takesInteger(schema: TSchema): boolean {
  if (schema['type'] === 'integer') return true;
  if (typeof schema['const'] === 'number') return true;
  const anyOf: unknown = schema['anyOf'];
  return Array.isArray(anyOf) && anyOf.some((part) => takesInteger(part));
}

function validate(check: TypeCheck<TSchema>, value: unknown): unknown {
  const tooMany = findTooManyItems(check.Schema(), value);
  if (tooMany) throw refuse(refusals.invalid, tooMany.msg, [tooMany]);
  if (check.Check(value)) {
    const tooSmall = findTooSmallAmount(check.Schema(), value);
    if (tooSmall) throw refuse(refusals.invalid, tooSmall.msg, [tooSmall]);
    return value;
  }
  const errors = fieldErrorsOf(check, value);
  throw refuse(refusals.invalid, errors[0]?.msg, errors);
}

/** The first amount that is less than the property that bounds it. */
function findTooSmallAmount(schema: TSchema, value: unknown): FieldError | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  for (const [field, amount] of Object.entries(value)) {
    const minimum: unknown = properties[field]?.[AT_LEAST];
    if (typeof minimum !== 'string') continue;
    const bound: unknown = Reflect.get(value, minimum);
    if (typeof amount === 'string' && typeof bound === 'string' && compareAmounts(amount, bound) < 0)
      return { field, msg: `${labelOf(field)}不能小于${labelOf(minimum)}` };
  }
  return undefined;
}

/**
 * Checks array lengths before the full validation: collecting the errors and duplicates of a huge array would let one
 * request block the process.
 */
function findTooManyItems(schema: TSchema, value: unknown): FieldError | undefined {
  const maxItemsOf = (property: TSchema | undefined): number => property?.['maxItems'] ?? Number.POSITIVE_INFINITY;
  if (Array.isArray(value)) {
    return value.length > maxItemsOf(schema)
      ? { field: '', msg: messageFor('', ValueErrorType.ArrayMaxItems, schema) }
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  for (const [field, property] of Object.entries(properties)) {
    const items: unknown = Reflect.get(value, field);
    if (Array.isArray(items) && items.length > maxItemsOf(property))
      return { field, msg: messageFor(field, ValueErrorType.ArrayMaxItems, property) };
  }
  return undefined;
}

/** The first error of each path (`announceList/0/lang`), at most 40, with messages that name the innermost field. */
function fieldErrorsOf(check: TypeCheck<TSchema>, value: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const error of check.Errors(value)) {
    const field = error.path.slice(1);
    if (errors.has(field)) continue;
    errors.set(field, { field, msg: messageFor(field, error.type, error.schema) });
    if (errors.size >= 40) break;
  }
  return [...errors.values()];
}

/** The Chinese label of a path: `announceList/0/lang` becomes 公告第 1 项的语言. */
function pathLabel(path: string): string {
  return path.split('/').reduce((label, part, depth) => {
    if (depth > 0 && /^\d+$/.test(part)) return `${label}第 ${Number(part) + 1} 项`;
    return depth > 0 ? `${label}的${labelOf(part)}` : labelOf(part);
  }, '');
}

function messageFor(field: string, type: ValueErrorType, schema: TSchema): string {
  if (field === '') return refusals.invalid.msg;
  const title: unknown = schema['title'];
  const label = typeof title === 'string' ? title : pathLabel(field);
  if (type === ValueErrorType.ObjectRequiredProperty) return `请输入${label}`;
  if (type === ValueErrorType.ObjectAdditionalProperties)
    return `不支持的字段：${(field.includes('/') ? label : field).slice(0, 64)}`;
  if (type === ValueErrorType.StringMinLength) {
    return schema['minLength'] === 1 ? `请输入${label}` : `${label}至少 ${schema['minLength']} 个字符`;
  }
  if (type === ValueErrorType.StringMaxLength) return `${label}不能超过 ${schema['maxLength']} 个字符`;
  if (type === ValueErrorType.IntegerMinimum || type === ValueErrorType.NumberMinimum) {
    return `${label}不能小于 ${schema['minimum']}`;
  }
  if (type === ValueErrorType.IntegerMaximum || type === ValueErrorType.NumberMaximum) {
    return `${label}不能大于 ${schema['maximum']}`;
  }
  if (type === ValueErrorType.ArrayMinItems) return `请选择${label}`;
  if (type === ValueErrorType.ArrayMaxItems) return `${label}不能超过 ${schema['maxItems']} 个`;
  return `${label}格式不正确`;
}
