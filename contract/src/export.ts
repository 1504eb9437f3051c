import { ABILITY, type Ability } from './ability.ts';
import type { Call, CallSpec, InputOf } from './endpoint.ts';
import type { ListColumn, ListSpec } from './list.ts';

/** A whole list as a file: every list that has columns has such a call beside it, derived here and nowhere else. */
export const exportFormats = { xlsx: 'Excel (.xlsx)', csv: 'CSV (.csv)' } as const;
export type ExportFormat = keyof typeof exportFormats;

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

/** Exports under way at once in one server process, and of one operator. */
export const EXPORTS_AT_ONCE = 2;
export const EXPORTS_OF_ONE = 1;

/** A column as it is asked for: its field alone, or with the title that the screen has for it. */
export type ExportColumn = string | { field: string; title?: string };

export interface ExportForm {
  /** The columns in their order; without it all that the list has. */
  columns?: ExportColumn[];
  /** IANA name of the zone in which times are written. */
  zone?: string;
  format?: ExportFormat;
}

/** A list call that can be exported. */
export type Exportable = CallSpec & { kind: 'list'; list: ListSpec & { columns: readonly ListColumn[] } };

export type ExportInput<C> = Omit<InputOf<C>, 'page' | 'size'> & ExportForm;

export interface ExportSpec extends CallSpec {
  method: 'POST';
  kind: 'export';
  ability: typeof ABILITY.export;
  also?: Ability;
  of: string;
  /** What the list is called; so is the file. */
  title: string;
  list: Exportable['list'];
}
export type ExportCall<C> = ExportSpec & Call<ExportInput<C>, null>;

const pathOf = (path: string): string => (path.endsWith('/list') ? path.replace(/list$/, 'excel') : `${path}/excel`);

/** The call that exports a list; what the list itself needs is needed as well. */
export function exportOf<C extends Exportable>(call: C, name = 'list'): ExportCall<C> {
  return {
    method: 'POST',
    path: pathOf(call.path),
    summary: `导出${call.summary}`,
    title: call.summary,
    kind: 'export',
    ability: ABILITY.export,
    ...(call.ability === undefined ? {} : { also: call.ability }),
    of: name,
    list: call.list,
  };
}

export const isExportable = (call: CallSpec): call is Exportable =>
  call.kind === 'list' && call.list?.columns !== undefined;

type NameOf<C> = C extends 'list' ? 'excel' : `${C & string}Excel`;
export const exportNameOf = (name: string): string => (name === 'list' ? 'excel' : `${name}Excel`);

/** The calls of a noun together with the exports of its lists. */
export type WithExports<Calls> = Calls & {
  readonly [C in keyof Calls as Calls[C] extends Exportable ? NameOf<C> : never]: ExportCall<Calls[C]>;
};

/** Adds to every noun the exports of its lists. */
export function withExports<N extends Record<string, Record<string, CallSpec>>>(
  nouns: N,
): { readonly [K in keyof N]: WithExports<N[K]> } {
  const all = Object.entries(nouns).map(([noun, calls]) => {
    const exported = Object.entries(calls).flatMap(([name, call]) =>
      isExportable(call) ? [[exportNameOf(name), exportOf(call, name)] as const] : [],
    );
    return [noun, { ...calls, ...Object.fromEntries(exported) }] as const;
  });
  return Object.fromEntries(all) as { readonly [K in keyof N]: WithExports<N[K]> };
}
