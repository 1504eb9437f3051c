import { exportTypes, type ExportFormat, type ExportForm, type ExportSpec } from '@hengtai/contract/desk/export/calls';
import { type ListColumn, type ListSpec, type PageInput, filterText, filtersOf } from '@hengtai/contract/wire/list';
import type { FullList } from '../lists/list.ts';
import { refuseField } from '../../app/refuse.ts';
import { type WallClock, isZone, wallClock } from './wall-clock.ts';

/** The same as the default zone of the console (`console/src/ui/value/zone.ts`). */
export const DEFAULT_ZONE = 'Asia/Shanghai';

/** An export call with its defaults filled in. */
export interface ExportRequest {
  columns: readonly ListColumn[];
  format: ExportFormat;
  clock: WallClock;
  /** Filters and order, as the list takes them. */
  query: PageInput & Readonly<Record<string, string | number | undefined>>;
}

/** @throws Refused 422 for what the schema cannot check: an unknown time zone, or a repeated column */
export function exportRequest(call: ExportSpec, input: ExportForm): ExportRequest {
  const { columns, zone = DEFAULT_ZONE, format = 'xlsx', ...query } = input;
  if (!isZone(zone)) throw refuseField('zone', '不存在');
  return { columns: columnsOf(call.list.columns, columns), format, clock: wallClock(zone), query };
}

function columnsOf(all: readonly ListColumn[], selected: ExportForm['columns']): readonly ListColumn[] {
  if (!selected) return all;
  const byField = new Map(all.map((column) => [column.field, column]));
  const found = selected.flatMap((one) => {
    const { field, title } = typeof one === 'string' ? { field: one } : one;
    const column = byField.get(field);
    return column ? [{ ...column, ...(title?.trim() && { title: title.trim() }) }] : [];
  });
  if (new Set(found.map(({ field }) => field)).size < found.length) throw refuseField('columns', '不能重复');
  return found;
}

/** Metadata of a file. */
export interface ExportDetails {
  title: string;
  operator: string;
  /** Unix milliseconds. */
  at: number;
}

/** Everything that a file contains. */
export interface ExportContent extends ExportDetails {
  list: ListSpec;
  request: ExportRequest;
  fullList: FullList;
}

/** The heading of a column; times name their zone. */
export const headingOf = ({ title, kind }: ListColumn, { zone }: WallClock): string =>
  kind === 'time' ? `${title} (${zone})` : title;

/** Labels and values of the filters and the period, for the sheet of notes and the list of jobs. */
export function filterWords({ list, request, fullList }: Pick<ExportContent, 'list' | 'request' | 'fullList'>) {
  const { query, clock } = request;
  const words = filtersOf(list).flatMap((filter): [string, string][] => {
    const { field, label } = filter;
    const value = query[field];
    if (value === undefined) return [];
    const coin = field === 'marketId' ? fullList.summary?.find(({ marketId }) => marketId === value) : undefined;
    return [[label, coin?.marketName ?? filterText(filter, value)]];
  });
  if (query.from !== undefined) words.push(['开始时间', clock.text(query.from)]);
  if (query.to !== undefined) words.push(['结束时间', clock.text(query.to)]);
  return words;
}

/** Content-Disposition with a Chinese file name (RFC 5987) and an ASCII one for older clients. */
export function dispositionOf(
  call: ExportSpec,
  { title, at }: ExportDetails,
  { format, clock }: ExportRequest,
): string {
  const stamp = clock.text(at).replaceAll(/[-:]/g, '').replace(' ', '-');
  const plain = call.path.replace(/\/excel$/, '').replaceAll(/[^A-Za-z0-9]+/g, '-');
  const chinese = encodeURIComponent(`${title}-${stamp}.${format}`);
  return `attachment; filename="${plain}-${stamp}.${format}"; filename*=UTF-8''${chinese}`;
}

export const contentTypeOf = ({ format }: ExportRequest): string => exportTypes[format];
