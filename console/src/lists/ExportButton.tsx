import './export-button.css';
import { DownloadOutlined } from '@ant-design/icons';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import {
  type Exportable,
  type ExportFormat,
  exportFormats,
  exportOf,
  isExportable,
} from '@hengtai/contract/desk/export/calls';
import type { ScheduleAdd } from '@hengtai/contract/desk/schedule/schema';
import { Button, Dropdown, Tooltip } from 'antd';
import { memo, useRef, useState } from 'react';
import { CallError, NetworkError, sendFile } from '../api/client.ts';
import { saveFile } from '../api/file-answer.ts';
import type { List } from './list.ts';
import { toCallInput, withBaseFilters } from './list-address.ts';
import { useCan } from '../api/me.ts';
import { toast } from '../api/toast.ts';
import type { PlacedColumn } from '../ui/table/columns.ts';
import { usePopup } from '../ui/browser/page-visibility.ts';
import { byteText } from '../ui/value/byte-text.ts';
import { useZone } from '../ui/value/zone.ts';
import { showExports } from './export-jobs.ts';
import { dialogOnDemand } from '../ui/page/on-demand.tsx';

const ScheduleDialog = dialogOnDemand(async () => (await import('./ScheduleDialog.tsx')).ScheduleDialog);

/** The properties of a list that an export depends on; none changes with the rows. */
type ListRequest = Pick<List<never, never, unknown>, 'call' | 'state' | 'baseFilters'>;

interface Props<Row> extends ListRequest {
  placed: readonly PlacedColumn<Row>[];
}

function ExportButtonOf<Row>({ call, state, baseFilters, placed }: Props<Row>) {
  const hasAbility = useCan(ABILITY.export);
  const [open, setOpen] = usePopup();
  const { bytes, start, cancel } = useDownload();
  const zone = useZone();
  const [scheduled, setScheduled] = useState<ScheduledList>();
  if (!isExportable(call)) return null;
  if (bytes !== undefined) {
    return (
      <span className="ht-lists-export" role="status">
        正在导出 {byteText(bytes)}
        <Button type="link" size="small" onClick={cancel}>
          取消
        </Button>
      </span>
    );
  }
  const button = (
    <Button
      type="text"
      aria-disabled={!hasAbility}
      className={hasAbility ? '' : 'ht-dialog-greyed'}
      icon={<DownloadOutlined aria-hidden />}
    >
      导出
    </Button>
  );
  if (!hasAbility) return <Tooltip title={`没有「${abilityLabels[ABILITY.export]}」权限`}>{button}</Tooltip>;
  return (
    <>
      <Dropdown
        open={open}
        onOpenChange={setOpen}
        trigger={['click']}
        menu={{
          items: [
            ...Object.entries(exportFormats).map(([key, label]) => ({ key, label })),
            { type: 'divider' },
            { key: SCHEDULE, label: '定时导出…' },
          ],
          onClick: ({ key }) =>
            key === SCHEDULE
              ? setScheduled(scheduledList({ state, baseFilters }, placed, call))
              : start(call, exportInput({ state, baseFilters }, placed, call, { zone, format: key as ExportFormat })),
        }}
      >
        {button}
      </Dropdown>
      {scheduled && <ScheduleDialog of={scheduled} onClose={() => setScheduled(undefined)} />}
    </>
  );
}

/** Key of the menu entry that saves the list as an export that repeats. */
const SCHEDULE = 'schedule';
type ScheduledList = Pick<ScheduleAdd, 'list' | 'query' | 'columns'>;

/** 导出: exports the whole filtered list with the columns of the table and of the drawer in their order. */
export const ExportButton = memo(ExportButtonOf) as typeof ExportButtonOf;

/** Input of the export: filters, order, columns and zone of the screen, without pagination. */
function exportInput<Row>(
  { state, baseFilters }: Pick<ListRequest, 'state' | 'baseFilters'>,
  placed: readonly PlacedColumn<Row>[],
  { list }: Exportable,
  target: { zone: string; format: ExportFormat },
): Record<string, unknown> {
  const columns = exportColumns(placed, list).map(({ key, title }) => ({ field: key, title }));
  return { ...queryOf({ state, baseFilters }), ...target, ...(columns.length > 0 && { columns }) };
}

/** Filters and order of the list, as its call takes them. */
function queryOf({ state, baseFilters }: Pick<ListRequest, 'state' | 'baseFilters'>) {
  const { page: _page, size: _size, ...query } = toCallInput(withBaseFilters(state, baseFilters));
  return query;
}

function exportColumns<Row>(placed: readonly PlacedColumn<Row>[], list: Exportable['list']) {
  const exportable = new Set(list.columns.map(({ field }) => field));
  return placed.filter(({ exported, key }) => exported && exportable.has(key));
}

function scheduledList<Row>(
  request: Pick<ListRequest, 'state' | 'baseFilters'>,
  placed: readonly PlacedColumn<Row>[],
  { path, list }: Exportable,
): ScheduledList {
  const query = new URLSearchParams(Object.entries(queryOf(request)).map(([name, value]) => [name, String(value)]));
  const columns = exportColumns(placed, list).map(({ key }) => key);
  return { list: path, query: query.toString(), ...(columns.length > 0 && { columns }) };
}

/** Runs one download at a time; it continues while its tab is hidden. */
function useDownload() {
  const [bytes, setBytes] = useState<number>();
  const controller = useRef<AbortController>(undefined);

  async function run(call: Exportable, input: Record<string, unknown>) {
    const abort = new AbortController();
    controller.current = abort;
    setBytes(0);
    try {
      const file = await sendFile(exportOf(call), input as never, { signal: abort.signal, onBytes: setBytes });
      if ('blob' in file) {
        saveFile(file);
        toast.success(`已导出 ${file.name}`);
      } else {
        toast.info(file.msg);
        showExports();
      }
    } catch (error) {
      if (abort.signal.aborted) toast.info('已取消导出');
      else toast.error(errorText(error));
    } finally {
      setBytes(undefined);
    }
  }

  return {
    bytes,
    start: (call: Exportable, input: Record<string, unknown>) => void run(call, input),
    cancel: () => controller.current?.abort(),
  };
}

function errorText(error: unknown): string {
  if (error instanceof CallError) return `导出失败：${error.msg}（请求编号 ${error.requestId}）`;
  if (error instanceof NetworkError) return '导出中断，文件没有保存，请重试';
  return '导出失败，请重试';
}
