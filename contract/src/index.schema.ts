import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { Call, CallSpec } from './wire/endpoint.ts';
import { exportMadeSchema } from './desk/export/schema.ts';
import { type ExportSpec, exportFormats } from './desk/export/calls.ts';
import { nouns } from './index.ts';
import * as schemasByNoun from './nouns.schema.ts';
import { type Endpoint, PageNumber, PageSize, Strict, Text, listInput } from './wire/schema.ts';

const TITLE_MAX = 64;
const Zone = Type.String({ pattern: '^[A-Za-z0-9_+/-]{1,64}$', description: 'IANA name of a time zone' });
const Format = Type.Union(Object.keys(exportFormats).map((format) => Type.Literal(format)));

/** Paths of all list calls, so that a new list has views automatically. */
const paths: string[] = Object.values(nouns)
  .flatMap((calls) => Object.values<CallSpec>(calls))
  .flatMap((call) => (call.list ? [call.path] : []));
const ListPath = Type.Unsafe<string>(Type.Union(paths.map((path) => Type.Literal(path))));

/** The schemas of every call except exports, by noun. The input of a list derives from its filters. */
const schemas = {
  ...schemasByNoun,
  view: schemasByNoun.view(ListPath),
  schedule: schemasByNoun.schedule(ListPath),
};

type Nouns = typeof nouns;
type Schemas = Readonly<
  Record<string, Readonly<Record<string, { input?: TSchema; fileQuery?: TSchema; output: TSchema }>>>
>;
type Equal<T, S> = S extends TSchema ? (Static<S> extends T ? (T extends Static<S> ? S : never) : never) : never;
type Get<T, K> = K extends keyof T ? T[K] : never;
type Checked<C, S> =
  C extends Call<infer I, infer O>
    ? (C extends { kind: 'list' } ? unknown : { input: Equal<I, Get<S, 'input'>> }) & {
        output: Equal<O, Get<S, 'output'>>;
      }
    : never;
/** The schemas that the types of the calls require; `never` where a schema does not match. */
type Matching<S> = {
  [N in keyof Nouns]: {
    [C in keyof Nouns[N] as Nouns[N][C] extends ExportSpec ? never : C]: Checked<Nouns[N][C], Get<Get<S, N>, C>>;
  };
};

/** A GET call that answers an array accepts page and size, as lists do, and ignores them. */
function withPage(spec: CallSpec, input: TSchema, output: TSchema): TSchema {
  if (spec.method !== 'GET' || output['type'] !== 'array') return input;
  return Strict({ ...input['properties'], page: Type.Optional(PageNumber), size: Type.Optional(PageSize) });
}

/** The schema of a record in an answer; lists and arrays stand for their rows. */
function recordSchema(schemas: Schemas[string], path: string): TSchema {
  const [call = '', ...fields] = path.split('.');
  const rowOf = (schema: TSchema | undefined): TSchema | undefined => {
    const rows: TSchema | undefined = schema?.['properties']?.list?.items ?? schema?.['items'];
    return rows ?? schema;
  };
  const record = fields.reduce((schema, field) => rowOf(schema?.['properties']?.[field]), rowOf(schemas[call]?.output));
  if (!record) throw new Error(`No answer has the record ${path}.`);
  return record;
}

/** A save also accepts the other fields of its record, which it cannot set. */
function withRecord(input: TSchema, record: TSchema): TSchema {
  const own: TProperties = input['properties'];
  const fields: TProperties = record['properties'];
  const readOnly = Object.entries(fields).flatMap(([field, schema]) =>
    Object.hasOwn(own, field) ? [] : [[field, Type.Optional({ ...schema, readOnly: true })] as const],
  );
  return Strict({ ...own, ...Object.fromEntries(readOnly) });
}

/** The body of an export: the list's filters and order, and columns, zone and format of the file. */
function exportInput({ list }: ExportSpec): TObject {
  const { page: _page, size: _size, ...query } = listInput(list).properties;
  const field = Type.Union(list.columns.map((column) => Type.Literal(column.field)));
  const column = Type.Union([field, Strict({ field, title: Type.Optional(Text(TITLE_MAX)) })]);
  return Strict({
    ...query,
    columns: Type.Optional(Type.Array(column, { minItems: 1, maxItems: list.columns.length })),
    zone: Type.Optional(Zone),
    format: Type.Optional(Format),
  });
}

const isExport = (call: CallSpec): call is ExportSpec => call.kind === 'export';

/** Pairs a call with its schemas. The answer of an export is a file without an envelope; a refusal and a job have one. */
function pair(call: CallSpec, name: string, schemas: Schemas[string]): Endpoint {
  if (isExport(call)) return { call, input: exportInput(call), output: exportMadeSchema };
  const schema = schemas[name];
  const input = call.list ? listInput(call.list) : schema?.input;
  if (!schema || !input) throw new Error(`The call ${call.path} has no schemas.`);
  if (call.record !== undefined)
    return { call, input: withRecord(input, recordSchema(schemas, call.record)), output: schema.output };
  return {
    call,
    input: withPage(call, input, schema.output),
    output: schema.output,
    ...(schema.fileQuery && { fileQuery: schema.fileQuery }),
  };
}

/** Pairs every call. A missing schema, or one that does not match the types of its call, is a type error. */
function pairAll<S extends Schemas>(
  all: S & Matching<S>,
): { readonly [N in keyof Nouns]: { readonly [C in keyof Nouns[N]]: Endpoint } } {
  const pairs = Object.entries<Readonly<Record<string, CallSpec>>>(nouns).map(([noun, calls]) => {
    const schema: Schemas[string] = all[noun] ?? {};
    // The schemas have no exports: these follow the other calls.
    const ends = Object.keys({ ...schema, ...calls }).flatMap((name) => {
      const call = calls[name];
      return call ? [[name, pair(call, name, schema)] as const] : [];
    });
    return [noun, Object.fromEntries(ends)] as const;
  });
  return Object.fromEntries(pairs) as never;
}

/** Every endpoint with its schemas, by noun. */
export const endpoints = pairAll(schemas);
