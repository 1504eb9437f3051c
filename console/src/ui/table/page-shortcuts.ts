import { useEffect } from 'react';

export interface Shortcut {
  keys: readonly string[];
  what: string;
}

export const LIST_SHORTCUTS: readonly Shortcut[] = [
  { keys: ['J', '↓'], what: '下一行' },
  { keys: ['K', '↑'], what: '上一行' },
  { keys: ['Enter'], what: '打开详情' },
  { keys: ['Esc'], what: '关闭详情或对话框' },
];
export const SELECT_SHORTCUT: Shortcut = { keys: ['X'], what: '选择或取消选择当前行' };

/** Shortcuts of the visible page; effects of hidden pages are cleaned up. */
const current = new Set<readonly Shortcut[]>();

export const pageShortcuts = (): Shortcut[] => [...current].flat();

/** Lists shortcuts in the dialog of `?` while the page is visible; the array must keep its identity. */
export function usePageShortcuts(shortcuts: readonly Shortcut[]) {
  useEffect(() => {
    current.add(shortcuts);
    return () => {
      current.delete(shortcuts);
    };
  }, [shortcuts]);
}
