import { ABILITY } from '@hengtai/contract/authority/ability';
import { EXPORT, exportJobs } from '@hengtai/contract/desk/export/calls';
import type { ExportRow } from '@hengtai/contract/desk/export/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { useRead } from '../api/hooks.ts';
import { useCan } from '../api/me.ts';
import { onNotifications } from '../api/notify.ts';
import { queryClient } from '../api/query-client.ts';

/** Polling interval while an export runs; otherwise notifications trigger the refetch. */
const PROGRESS_POLL_MS = 1_500;

interface Panel {
  isOpen: boolean;
  setOpen: (open: boolean) => void;
}

/** Open state of the export panel; starting a background export opens it. */
export const useExportPanel = create<Panel>((set) => ({ isOpen: false, setOpen: (open) => set({ isOpen: open }) }));

/** Refetches the exports and opens the panel. */
export function showExports() {
  void queryClient.invalidateQueries({ queryKey: [exportJobs.list.path] });
  useExportPanel.getState().setOpen(true);
}

export const isUnderWay = ({ state }: Pick<ExportRow, 'state'>): boolean =>
  state === EXPORT.queued || state === EXPORT.running;

/** Background exports of the operator; disabled without the export ability. */
export function useExports() {
  const hasAbility = useCan(ABILITY.export);
  const client = useQueryClient();
  const cached = client.getQueryData<ExportRow[]>([exportJobs.list.path, {}]);
  const refetchMs = cached?.some(isUnderWay) ? PROGRESS_POLL_MS : false;
  const read = useRead(exportJobs.list, {}, { enabled: hasAbility, refetchMs });
  useEffect(
    () =>
      onNotifications((notifications) => {
        if (!notifications.some(({ noun }) => noun === 'export')) return;
        void client.invalidateQueries({ queryKey: [exportJobs.list.path] });
      }),
    [client],
  );
  return { hasAbility, ...read };
}
