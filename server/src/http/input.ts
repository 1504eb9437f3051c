import type { ListSpec } from '@hengtai/contract/list';
import { IGNORED_WHEN, type IgnoredWhen } from '@hengtai/contract/schema';
import type { FieldError } from '@hengtai/contract/envelope';
import { labelOf } from '@hengtai/contract/labels';
import { refusals } from '@hengtai/contract/refusals';
import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler, ValueErrorType } from '@sinclair/typebox/compiler';
import { refuse } from '../refuse.ts';
import { isExact, normalizerFor } from './wire-values.ts';

const NUMBER = /^-?(0|[1-9][0-9]{0,15})$/;

/** Checks bodies against a schema, nothing coerced. The filters of a list may say in a body, too, that they are none. */
export function bodyParser(schema: TSchema, list?: ListSpec): (body: unknown) => unknown {
  const check = TypeCompiler.Compile(schema);
  const filters = list && new Set([...list.filters.map(({ field }) => field), 'from', 'to', 'sort']);
  return (body) => checked(check, filters ? given(body ?? {}, filters) : (body ?? {}));
}

/** A body without the filters that are empty or -1, which is how a list says that they are not given. */
function given(body: unknown, filters: ReadonlySet<string>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([field, value]) => !(filters.has(field) && (value === '' || value === -1))),
  );
}

/**
 * Reads a query: everything arrives as text, so what looks like an integer and is declared as one becomes it. An empty
 * string means "not given", as does -1 in a list.
 */
export function queryParser(schema: TSchema, isList: boolean): (query: unknown) => unknown {
  const check = TypeCompiler.Compile(schema);
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  return (query) => {
    const values: Record<string, unknown> = Object.create(null);
    for (const [field, text] of Object.entries(query as Record<string, unknown>)) {
      if (text === '' || (text === '-1' && (isList || field === 'platform'))) {
        if (Object.hasOwn(properties, field)) continue;
      }
      const property = Object.hasOwn(properties, field) ? properties[field] : undefined;
      values[field] =
        property && typeof text === 'string' && NUMBER.test(text) && takesInteger(property) ? Number(text) : text;
    }
    return checked(check, { ...values });
  };
}

/** As `bodyParser`, for operators' calls: ids may also be decimal strings, amounts also short JSON numbers. */
export function operatorBodyParser(schema: TSchema, list?: ListSpec): (body: unknown) => unknown {
  const read = bodyParser(schema, list);
  const normalize = normalizerFor(schema);
  const reduce = ignoredFieldParser(schema);
  return (body) => read(normalize ? normalize(reduce(body), isExact(body)) : reduce(body));
}

/** Drops a field that another one's value makes meaningless, so that whatever stands in it is accepted. */
function ignoredFieldParser(schema: TSchema): (body: unknown) => unknown {
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  const rules = Object.entries(properties).flatMap(([field, property]) => {
    const when = property[IGNORED_WHEN] as IgnoredWhen | undefined;
    return when ? [{ field, when }] : [];
  });
  if (rules.length === 0) return (body) => body;
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const kept: Record<string, unknown> = { ...body };
    for (const { field, when } of rules) {
      if (Object.hasOwn(kept, when.field) && kept[when.field] === when.value) delete kept[field];
    }
    return kept;
  };
}

function takesInteger(schema: TSchema): boolean {
  if (schema['type'] === 'integer') return true;
  if (typeof schema['const'] === 'number') return true;
  const anyOf: unknown = schema['anyOf'];
  return Array.isArray(anyOf) && anyOf.some((part) => takesInteger(part));
}

function checked(check: TypeCheck<TSchema>, value: unknown): unknown {
  const overlong = overlongIn(check.Schema(), value);
  if (overlong) throw refuse(refusals.invalid, overlong.msg, [overlong]);
  if (check.Check(value)) return value;
  const faults = fieldErrorsOf(check, value);
  throw refuse(refusals.invalid, faults[0]?.msg, faults);
}

/**
 * A list with far more items than it may have is refused by their number alone: the faults of each of them, and which of
 * them are alike, would take longer to find than anything else that a call may ask for.
 */
function overlongIn(schema: TSchema, value: unknown): FieldError | undefined {
  const most = (property: TSchema | undefined): number => property?.['maxItems'] ?? Number.POSITIVE_INFINITY;
  if (Array.isArray(value)) {
    return value.length > most(schema)
      ? { field: '', msg: wordsFor('', ValueErrorType.ArrayMaxItems, schema) }
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const properties: Record<string, TSchema> = schema['properties'] ?? {};
  for (const [field, property] of Object.entries(properties)) {
    const items: unknown = Reflect.get(value, field);
    if (Array.isArray(items) && items.length > most(property))
      return { field, msg: wordsFor(field, ValueErrorType.ArrayMaxItems, property) };
  }
  return undefined;
}

/** One fault a path (`announceList/0/lang`), in words that name the innermost field. */
export function fieldErrorsOf(check: TypeCheck<TSchema>, value: unknown): FieldError[] {
  const faults = new Map<string, FieldError>();
  for (const error of check.Errors(value)) {
    const field = error.path.slice(1);
    if (faults.has(field)) continue;
    faults.set(field, { field, msg: wordsFor(field, error.type, error.schema) });
    if (faults.size >= 40) break;
  }
  return [...faults.values()];
}

/** `announceList/0/lang` is 公告第 1 项的语言. */
function pathLabel(path: string): string {
  return path.split('/').reduce((label, part, depth) => {
    if (depth > 0 && /^\d+$/.test(part)) return `${label}第 ${Number(part) + 1} 项`;
    return depth > 0 ? `${label}的${labelOf(part)}` : labelOf(part);
  }, '');
}

function wordsFor(field: string, type: ValueErrorType, schema: TSchema): string {
  if (field === '') return refusals.invalid.msg;
  const label = pathLabel(field);
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
