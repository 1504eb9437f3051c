import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type Exportable, type WithExports, exportFormats, exportNameOf, exportOf, isExportable } from './export.ts';
import { type Endpoint, Strict, Text, listInput } from './schema.ts';

const TITLE_MAX = 64;
const Zone = Type.String({ pattern: '^[A-Za-z0-9_+/-]{1,64}$', description: 'IANA name of a time zone' });
const Format = Type.Union(Object.keys(exportFormats).map((format) => Type.Literal(format)));

/** The body of an export: the list's filters and order, and the form of the file. */
export function exportInput({ list }: Exportable): TObject {
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

type Endpoints = Record<string, { call: Endpoint['call']; input: TSchema; output: TSchema }>;
type CallsOf<E extends Endpoints> = { [C in keyof E]: E[C]['call'] };

/** Every endpoint, and beside each list that can be exported its export. A file has no envelope; a refusal has. */
export function withExportEndpoints<N extends Record<string, Endpoints>>(
  endpoints: N,
): { readonly [K in keyof N]: { readonly [C in keyof WithExports<CallsOf<N[K]>>]: Endpoint } } {
  const all = Object.entries(endpoints).map(([noun, ends]) => {
    const exported = Object.entries(ends).flatMap(([name, { call }]) =>
      isExportable(call)
        ? [[exportNameOf(name), { call: exportOf(call, name), input: exportInput(call), output: Type.Null() }] as const]
        : [],
    );
    return [noun, { ...ends, ...Object.fromEntries(exported) }] as const;
  });
  return Object.fromEntries(all) as never;
}
