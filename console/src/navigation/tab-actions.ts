import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { clearTabQueries, invalidateTabQueries } from '../api/tab-queries.ts';
import { ask } from '../ui/dialog/question.ts';
import { openPath } from './open-path.ts';
import { closableOf, pathOf, useTabs } from './tabs.ts';

export interface TabActions {
  close: (keys: readonly string[]) => void;
  refresh: (key: string) => void;
  reopen: () => void;
}

/** Actions on tabs; unsaved forms are confirmed first. */
export function useTabActions(): TabActions {
  const client = useQueryClient();
  return useMemo(() => {
    const confirmUnsaved = (keys: readonly string[], verb: string, proceed: () => void) => {
      const { tabs, guarded } = useTabs.getState();
      const unsaved = tabs.filter((tab) => keys.includes(tab.key) && guarded[tab.key]?.length);
      if (unsaved.length === 0) {
        proceed();
        return;
      }
      ask({
        title: `${unsaved.map((tab) => `「${tab.title}」`).join('')}有未保存的修改`,
        content: `${verb}后修改将丢失。`,
        verb: `${verb}并放弃修改`,
        back: '返回',
        onConfirm: proceed,
      });
    };
    const close = (asked: readonly string[]) => {
      const keys = closableOf(useTabs.getState().tabs, asked);
      confirmUnsaved(keys, '关闭', () => {
        const next = useTabs.getState().close(keys);
        if (next !== undefined) openPath(next);
        // After unmounting, so that dropped queries are not refetched.
        setTimeout(() => {
          for (const key of keys) clearTabQueries(client, key);
        });
      });
    };
    const refresh = (key: string) =>
      confirmUnsaved([key], '刷新', () => {
        void invalidateTabQueries(client, key).then(() => useTabs.getState().refresh(key));
      });
    const reopen = () => {
      const last = useTabs.getState().takeClosed();
      if (last) openPath(pathOf(last));
    };
    return { close, refresh, reopen };
  }, [client]);
}

/** Keys of the tabs that a bulk close affects; pinned tabs are excluded. */
export function keysToClose(which: 'others' | 'left' | 'right' | 'all', key: string): readonly string[] {
  const { tabs } = useTabs.getState();
  const index = tabs.findIndex((tab) => tab.key === key);
  const closing = tabs.filter((tab, i) => {
    if (tab.pinned) return false;
    if (which === 'others') return i !== index;
    if (which === 'left') return i < index;
    if (which === 'right') return i > index;
    return true;
  });
  return closableOf(
    tabs,
    closing.map((tab) => tab.key),
  );
}
