import type { MenuProps } from 'antd';
import { type TabActions, closable } from './tab-actions.ts';
import { useTabs } from './tabs.ts';

/** What can be done with a tab, as a menu. What has nothing to act on is greyed. */
export function tabMenu(key: string | null, actions: TabActions): MenuProps {
  const { tabs, closed, pin } = useTabs.getState();
  const tab = tabs.find((one) => one.key === key);
  const takes = (scope: Parameters<typeof closable>[0]) => (tab ? closable(scope, tab.key) : []);
  const only = tabs.length === 1 && tab?.key === '/home';
  return {
    items: [
      { key: 'refresh', label: '刷新', disabled: !tab },
      { key: 'pin', label: tab?.pinned ? '取消固定' : '固定', disabled: !tab },
      { type: 'divider' },
      { key: 'close', label: '关闭', disabled: !tab || only },
      { key: 'others', label: '关闭其他', disabled: takes('others').length === 0 },
      { key: 'left', label: '关闭左侧', disabled: takes('left').length === 0 },
      { key: 'right', label: '关闭右侧', disabled: takes('right').length === 0 },
      { key: 'all', label: '全部关闭', disabled: only || takes('all').length === 0 },
      { type: 'divider' },
      { key: 'reopen', label: '重新打开关闭的标签页', disabled: closed.length === 0 },
    ],
    onClick: ({ key: act, domEvent }) => {
      domEvent.stopPropagation();
      if (act === 'reopen') actions.reopen();
      else if (!tab) return;
      else if (act === 'refresh') actions.refresh(tab.key);
      else if (act === 'pin') pin(tab.key, !tab.pinned);
      else if (act === 'close') actions.close([tab.key]);
      else if (act === 'others' || act === 'left' || act === 'right' || act === 'all') actions.close(takes(act));
    },
  };
}
