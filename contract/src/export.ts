import { ABILITY, type Ability } from './ability.ts';
import { type Call, type CallSpec, type InputOf, call } from './endpoint.ts';
import type { ExportMade, ExportOf, ExportRow } from './export.schema.ts';
import type { ListColumn, ListSpec } from './list.ts';
import type { Nothing } from './session.schema.ts';

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

/** An export of more rows is made in the background: the call answers with the job instead of the file. */
export const EXPORT_JOB_ROWS = 50_000;
/** Such an export is written no faster, so that the database has time for everybody else. */
export const EXPORT_ROWS_PER_SECOND = 55_000;
/** What the call says then; `rows` is what this server takes for too many. */
export const exportQueued = (rows: number): string =>
  `超过 ${rows.toLocaleString('en')} 行，将在后台生成，请在「导出任务」中下载`;
/** What one operator may have waiting, being made and ready to be downloaded, all together. */
export const EXPORT_JOBS_MAX = 20;
export const EXPORT_JOB_BYTES_MAX = 2 * 1024 ** 3;
/** A finished file is deleted after so long, and what is known about it after so many days more. */
export const EXPORT_DAYS = 7;
export const EXPORT_RECORD_DAYS = 30;
/** A job that was broken off this often by the end of its process is given up. */
export const EXPORT_ATTEMPTS = 3;

export const EXPORT = { queued: 0, running: 1, done: 2, failed: 3, cancelled: 4, expired: 5 } as const;
export const exportStates = {
  0: '排队中',
  1: '生成中',
  2: '已完成',
  3: '失败',
  4: '已取消',
  5: '已过期',
} as const;

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
export type ExportCall<C> = ExportSpec & Call<ExportInput<C>, ExportMade>;

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

/** The operator's own exports that were too long to be answered at once. */
export const exportJobs = {
  list: call<Nothing, ExportRow[]>()({
    method: 'GET',
    path: 'export/list',
    summary: '导出任务',
    kind: 'read',
    ability: ABILITY.export,
  }),
  cancel: call<ExportOf, ExportRow>()({
    method: 'POST',
    path: 'export/cancel',
    summary: '取消导出任务',
    kind: 'action',
    ability: ABILITY.export,
    target: 'export',
    targetBy: 'id',
  }),
  remove: call<ExportOf, null>()({
    method: 'POST',
    path: 'export/remove',
    summary: '删除导出任务',
    kind: 'action',
    ability: ABILITY.export,
    target: 'export',
    targetBy: 'id',
  }),
  download: call<ExportOf, null>()({
    method: 'GET',
    path: 'export/download',
    summary: '下载导出文件',
    kind: 'file',
    ability: ABILITY.export,
    target: 'export',
    targetBy: 'id',
  }),
};
