import {
  type Exportable,
  type ExportForm,
  type ExportSpec,
  exportOf,
  isExportable,
} from '@hengtai/contract/desk/export/calls';
import { RANGE } from '@hengtai/contract/desk/schedule/calls';
import { refuseField } from '../../../app/refuse.ts';
import { exportRequest } from '../../../books/exports/request.ts';
import { lists, parseFilters } from '../view/list-call.rules.ts';

interface ScheduledExport {
  list: string;
  query: string;
  columns?: readonly string[] | null | undefined;
  format: 'xlsx' | 'csv';
  range: number;
}

/**
 * Finds the export of a list.
 *
 * @throws Refused 422 for a list that has none
 */
export function requireExport(path: string): ExportSpec {
  const call = lists.get(path)?.call;
  if (!call || !isExportable(call)) throw refuseField('list', '不能导出');
  return exportOf(call satisfies Exportable);
}

/** @throws Refused 422 if the list does not have the columns */
export function validateColumns({ list, columns }: Pick<ScheduledExport, 'list' | 'columns'>): void {
  const known = new Set(requireExport(list).list.columns.map(({ field }) => field));
  if (columns?.some((field) => !known.has(field))) throw refuseField('columns', '格式不正确');
}

/**
 * Builds the body of the export call from the address of the list.
 *
 * @param dates replace those of the address if the schedule covers a period
 * @throws Refused 422 if the list no longer has the filters or the columns
 */
export function exportForm(
  { list: path, query, columns, format, range }: ScheduledExport,
  zone: string,
  dates: { from: number; to: number },
): ExportForm & Record<string, unknown> {
  const list = lists.get(path);
  const spec = requireExport(path);
  if (!list) throw refuseField('list', '不能导出');
  validateColumns({ list: path, columns });
  const { page: _page, size: _size, ...filters } = parseFilters(list, query);
  const form = {
    ...filters,
    ...(range === RANGE.period && { from: dates.from, to: dates.to }),
    ...(columns && { columns: [...columns] }),
    zone,
    format,
  };
  exportRequest(spec, form);
  return form;
}
