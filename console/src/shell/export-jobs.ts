import { ABILITY } from '@hengtai/contract/ability';
import { EXPORT, exportJobs } from '@hengtai/contract/export';
import type { ExportRow } from '@hengtai/contract/export.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { useRead } from '../api/hooks.ts';
import { useCan } from '../api/me.ts';
import { onNotifications } from '../api/notify.ts';
import { queryClient } from '../api/query-client.ts';

/** While a file is made its progress is looked at; else the stream says that something happened. */
const WHILE_MADE_MS = 1_500;

interface Panel {
  open: boolean;
  setOpen: (open: boolean) => void;
}

/** Whether the panel of exports is open: what begins an export opens it. */
export const useExportPanel = create<Panel>((set) => ({ open: false, setOpen: (open) => set({ open }) }));

/** Shows the exports as they stand now. */
export function showExports() {
  void queryClient.invalidateQueries({ queryKey: [exportJobs.list.path] });
  useExportPanel.getState().setOpen(true);
}

export const isUnderWay = ({ state }: Pick<ExportRow, 'state'>): boolean =>
  state === EXPORT.queued || state === EXPORT.running;

/** The operator's own exports, in step with the server; nothing without the ability. */
export function useExports() {
  const able = useCan(ABILITY.export);
  const client = useQueryClient();
  const cached = client.getQueryData<ExportRow[]>([exportJobs.list.path, {}]);
  const every = cached?.some(isUnderWay) ? WHILE_MADE_MS : false;
  const read = useRead(exportJobs.list, {}, { enabled: able, every });
  useEffect(
    () =>
      onNotifications((details) => {
        if (!details.some(({ noun }) => noun === 'export')) return;
        void client.invalidateQueries({ queryKey: [exportJobs.list.path] });
      }),
    [client],
  );
  return { able, ...read };
}
