import type { IdInput } from '../../wire/schema.ts';
import { ABILITY, type Ability } from '../../authority/ability.ts';
import { action, call, read, type Call, type CallSpec, type InputOf } from '../../wire/endpoint.ts';
import { exportJobActions } from './facts.ts';
import type { ExportMade, ExportRow } from './schema.ts';
import type { ListColumn, ListSpec } from '../../wire/list.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

/** An export is a whole list as a file. Its call is derived here for every list with columns. */
export const exportFormats = { xlsx: 'Excel (.xlsx)', csv: 'CSV (.csv)' } as const;
export type ExportFormat = keyof typeof exportFormats;

export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

/** Concurrent exports in one server process, and of one operator. */
export const EXPORTS_PER_PROCESS = 2;
export const EXPORTS_PER_OPERATOR = 1;

/** An export of more rows runs in the background: the call answers with the job instead of the file. */
export const EXPORT_JOB_ROWS = 50_000;
/** Rate limit of a background export, so that it leaves the database time for other work. */
export const EXPORT_ROWS_PER_SECOND = 55_000;
/** The message of the answer with a job. `rows` is this server's limit. */
export const exportQueued = (rows: number): string =>
  `超过 ${rows.toLocaleString('en')} 行，将在后台生成，请在「导出任务」中下载`;
/** Limits of one operator's jobs and files: queued, running and finished together. */
export const EXPORT_JOBS_MAX = 20;
export const EXPORT_JOB_BYTES_MAX = 2 * 1024 ** 3;
/** Days until a finished file is deleted, and further days until its job row is deleted. */
export const EXPORT_DAYS = 7;
export const EXPORT_RECORD_DAYS = 30;
/** A job fails after its process ended this often while it was running. */
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

/** A requested column: its field, optionally with the title shown on the screen. */
export type ExportColumn = string | { field: string; title?: string };

export interface ExportForm {
  /** Columns in order; default: all columns of the list. */
  columns?: ExportColumn[];
  /** IANA time zone of written times. */
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
  listName: string;
  /** Title of the list, and name of the file. */
  title: string;
  list: Exportable['list'];
}
export type ExportCall<C> = ExportSpec & Call<ExportInput<C>, ExportMade>;

const pathOf = (path: string): string => (path.endsWith('/list') ? path.replace(/list$/, 'excel') : `${path}/excel`);

/** The call that exports a list. It also needs the list's own ability. */
export function exportOf<C extends Exportable>(call: C, name = 'list'): ExportCall<C> {
  return {
    method: 'POST',
    path: pathOf(call.path),
    summary: `导出${call.summary}`,
    title: call.summary,
    kind: 'export',
    ability: ABILITY.export,
    ...(call.ability === undefined ? {} : { also: call.ability }),
    listName: name,
    list: call.list,
  };
}

export const isExportable = (call: CallSpec): call is Exportable =>
  call.kind === 'list' && call.list?.columns !== undefined;

type NameOf<C> = C extends 'list' ? 'excel' : `${C & string}Excel`;
const exportNameOf = (name: string): string => (name === 'list' ? 'excel' : `${name}Excel`);

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

/** The operator's own background exports. */
export const exportJobs = {
  list: read<EmptyInput, ExportRow[]>()('export/list', '导出任务', { ability: ABILITY.export }),
  cancel: action<IdInput, ExportRow>()(exportJobActions.cancel, 'export/cancel'),
  remove: action<IdInput, null>()(exportJobActions.remove, 'export/remove'),
  download: call<IdInput, null>()({
    method: 'GET',
    path: 'export/download',
    summary: '下载导出文件',
    kind: 'file',
    ability: ABILITY.export,
    target: 'export',
    targetBy: 'id',
  }),
};
