import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useMemo } from 'react';
import { dropScope, invalidateScope } from '../api/query-scope.ts';
import { go } from './go.ts';
import { pathOf, useTabs } from './tabs.ts';

export interface TabActions {
  close: (keys: readonly string[]) => void;
  refresh: (key: string) => void;
  reopen: () => void;
}

/** What can be done to tabs; unsaved forms are asked about first. */
export function useTabActions(): TabActions {
  const { modal } = App.useApp();
  const client = useQueryClient();
  return useMemo(() => {
    const ask = (keys: readonly string[], verb: string, act: () => void) => {
      const { tabs, guarded } = useTabs.getState();
      const unsaved = tabs.filter((tab) => keys.includes(tab.key) && guarded[tab.key]?.length);
      if (unsaved.length === 0) {
        act();
        return;
      }
      modal.confirm({
        title: `${unsaved.map((tab) => `「${tab.title}」`).join('')}有未保存的修改`,
        content: `${verb}后修改将丢失。`,
        okText: `${verb}并放弃修改`,
        cancelText: '返回',
        okButtonProps: { danger: true },
        autoFocusButton: 'cancel',
        onOk: act,
      });
    };
    const close = (keys: readonly string[]) =>
      ask(keys, '关闭', () => {
        const next = useTabs.getState().close(keys);
        if (next !== undefined) go(next);
        // The pages are taken down first, so that nothing reads again what is dropped here.
        setTimeout(() => {
          for (const key of keys) dropScope(client, key);
        });
      });
    const refresh = (key: string) =>
      ask([key], '刷新', () => {
        void invalidateScope(client, key).then(() => useTabs.getState().refresh(key));
      });
    const reopen = () => {
      const last = useTabs.getState().takeClosed();
      if (last) go(pathOf(last));
    };
    return { close, refresh, reopen };
  }, [client, modal]);
}

/** Keys of the tabs that a wide closing takes: pinned ones stay. */
export function closable(scope: 'others' | 'left' | 'right' | 'all', key: string): string[] {
  const { tabs } = useTabs.getState();
  const at = tabs.findIndex((tab) => tab.key === key);
  const taken = tabs.filter((tab, i) => {
    if (tab.pinned) return false;
    if (scope === 'others') return i !== at;
    if (scope === 'left') return i < at;
    if (scope === 'right') return i > at;
    return true;
  });
  return taken.map((tab) => tab.key);
}
