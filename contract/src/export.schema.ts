import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import {
  type Exportable,
  type WithExports,
  exportFormats,
  exportJobs,
  exportNameOf,
  exportOf,
  isExportable,
} from './export.ts';
import { type Endpoint, Id, Int, Ms, EmptyInput, Nullable, Strict, Text, endpoint, listInput } from './schema.ts';

const TITLE_MAX = 64;
const Zone = Type.String({ pattern: '^[A-Za-z0-9_+/-]{1,64}$', description: 'IANA name of a time zone' });
const FileSize = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'bytes' });

const Row = Type.Object({
  id: Id,
  list: Type.String({ description: 'path of the list that is exported' }),
  title: Type.String(),
  operator: Type.String(),
  format: Type.String(),
  zone: Type.String(),
  filters: Type.String({ description: 'filters as text; empty without filters' }),
  state: Int,
  total: Type.Integer({ minimum: 0, description: 'rows of the list; after completion, rows of the file' }),
  done: Type.Integer({ minimum: 0, description: 'rows written so far' }),
  size: Nullable(FileSize),
  reason: Type.String({ description: 'why the export failed' }),
  createdAt: Ms,
  finishedAt: Nullable(Ms),
  expiresAt: Nullable(Ms),
});
export type ExportRow = Static<typeof Row>;

const Made = Type.Object({ job: Row }, { description: 'the answer if the export continues in the background' });
export type ExportMade = Static<typeof Made>;

const ById = Strict({ id: Id });
export type ExportOf = Static<typeof ById>;

export const exportEndpoints = {
  list: endpoint(exportJobs.list, EmptyInput, Type.Array(Row)),
  cancel: endpoint(exportJobs.cancel, ById, Row),
  remove: endpoint(exportJobs.remove, ById, Type.Null()),
  download: endpoint(exportJobs.download, ById, Type.Null()),
};

const Format = Type.Union(Object.keys(exportFormats).map((format) => Type.Literal(format)));

/** The body of an export: the list's filters and order, and columns, zone and format of the file. */
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

/** Adds the export of each list that can be exported. A file has no envelope; a refusal and a job have one. */
export function withExportEndpoints<N extends Record<string, Endpoints>>(
  endpoints: N,
): { readonly [K in keyof N]: { readonly [C in keyof WithExports<CallsOf<N[K]>>]: Endpoint } } {
  const all = Object.entries(endpoints).map(([noun, ends]) => {
    const exported = Object.entries(ends).flatMap(([name, { call }]) =>
      isExportable(call)
        ? [[exportNameOf(name), { call: exportOf(call, name), input: exportInput(call), output: Made }] as const]
        : [],
    );
    return [noun, { ...ends, ...Object.fromEntries(exported) }] as const;
  });
  return Object.fromEntries(all) as never;
}
