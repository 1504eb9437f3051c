import type { MenuProps } from 'antd';
import { type TabActions, keysToClose } from '../navigation/tab-actions.ts';
import { openPath } from '../navigation/open-path.ts';
import { closableOf, pathOf, useTabs } from '../navigation/tabs.ts';

/** Context menu of a tab; entries without effect are disabled. */
export function tabMenu(key: string | null, actions: TabActions): MenuProps {
  const { tabs, closed, pin } = useTabs.getState();
  const tab = tabs.find((one) => one.key === key);
  const closedBy = (which: Parameters<typeof keysToClose>[0]) => (tab ? keysToClose(which, tab.key) : []);
  const isClosable = tab !== undefined && closableOf(tabs, [tab.key]).length > 0;
  return {
    items: [
      { key: 'refresh', label: '刷新', disabled: !tab },
      { key: 'pin', label: tab?.pinned ? '取消固定' : '固定', disabled: !tab },
      { type: 'divider' },
      { key: 'close', label: '关闭', disabled: !isClosable },
      { key: 'others', label: '关闭其他', disabled: closedBy('others').length === 0 },
      { key: 'left', label: '关闭左侧', disabled: closedBy('left').length === 0 },
      { key: 'right', label: '关闭右侧', disabled: closedBy('right').length === 0 },
      { key: 'all', label: '全部关闭', disabled: closedBy('all').length === 0 },
      { type: 'divider' },
      { key: 'reopen', label: '重新打开关闭的标签页', disabled: closed.length === 0 },
    ],
    onClick: ({ key: action, domEvent }) => {
      domEvent.stopPropagation();
      if (action === 'reopen') actions.reopen();
      else if (!tab) return;
      else if (action === 'refresh') actions.refresh(tab.key);
      else if (action === 'pin') pin(tab.key, !tab.pinned);
      else if (action === 'close') actions.close([tab.key]);
      else if (action === 'others' || action === 'left' || action === 'right' || action === 'all')
        actions.close(closedBy(action));
    },
  };
}

/** Menu of all open tabs, for those that the bar has no room for. */
export const allTabsMenu = (): MenuProps => {
  const { tabs, active } = useTabs.getState();
  return {
    className: 'ht-app-tab-list',
    selectedKeys: active === null ? [] : [active],
    items: tabs.map(({ key, title }) => ({ key, label: title })),
    onClick: ({ key }) => {
      const tab = tabs.find((one) => one.key === key);
      if (tab) openPath(pathOf(tab));
    },
  };
};
