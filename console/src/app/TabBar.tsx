import './tab-bar.css';
import { CloseOutlined, DownOutlined, HomeOutlined, PushpinFilled } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { openPath } from '../navigation/open-path.ts';
import { setCloseTab } from '../navigation/close-tab.ts';
import { useTabActions } from '../navigation/tab-actions.ts';
import { useTabDrag } from './tab-drag.ts';
import { allTabsMenu, tabMenu } from './tab-menu.ts';
import { HOME, type Tab, closableOf, pathOf, useTabs } from '../navigation/tabs.ts';
import { badgesOf, shortCount } from '../domains/desk/notification/exported/waiting.ts';
import { useCounts } from '../api/notify.ts';
import { scrollSideways, useHiddenSides } from '../ui/table/hidden-sides.ts';

export const panelId = (key: string) => `page:${key}`;
export const tabId = (key: string) => `tab:${key}`;

/** The tab bar. Tabs are links; arrow keys move the focus, Delete closes the focused tab, dragging moves a tab. */
export function TabBar() {
  const tabs = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  const guarded = useTabs((state) => state.guarded);
  const actions = useTabActions();
  useEffect(() => setCloseTab(actions.close), [actions]);
  const drag = useTabDrag();
  const strip = useRef<HTMLDivElement>(null);
  const [menuTarget, setMenuTarget] = useState<string | null>(null);

  // The first measurement comes after the layout; later ones when the tab gets its title or the strip less room.
  useEffect(() => {
    const tab = active === null ? null : document.getElementById(tabId(active));
    if (!tab || !strip.current) return undefined;
    const observer = new ResizeObserver(() => tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    observer.observe(strip.current);
    observer.observe(tab);
    return () => observer.disconnect();
  }, [active]);

  const focusable = active ?? tabs[0]?.key;
  // The service page has no menu entry, so its tab shows the count.
  const waiting = badgesOf(useCounts())['/service'] ?? 0;
  const close = (key: string) => actions.close([key]);
  const hiddenSides = useHiddenSides(strip);

  return (
    <div className="ht-app-tabs">
      <Dropdown trigger={['contextMenu']} menu={tabMenu(menuTarget ?? active, actions)}>
        <div
          ref={strip}
          className="ht-app-strip ht-table-fading"
          data-more={hiddenSides}
          role="tablist"
          tabIndex={-1}
          aria-label="已打开的页面"
          onContextMenu={(event) => setMenuTarget(tabKeyOf(event.target))}
          onKeyDown={(event) => onKey(event, close)}
          onWheel={scrollSideways}
        >
          {tabs.map((tab) => (
            <TabLink
              key={tab.key}
              tab={tab}
              active={tab.key === active}
              focusable={tab.key === focusable}
              closable={!tab.pinned && closableOf(tabs, [tab.key]).length > 0}
              dirty={(guarded[tab.key]?.length ?? 0) > 0}
              waiting={tab.key === '/service' ? waiting : 0}
              mark={drag.markOf(tab.key)}
              onClose={close}
              drag={drag.handlersOf(tab.key)}
            />
          ))}
        </div>
      </Dropdown>
      {hiddenSides !== '' && (
        <Dropdown trigger={['click']} placement="bottomRight" menu={allTabsMenu()}>
          <Button type="text" size="small" aria-label={`全部标签页，共 ${tabs.length} 个`} title="全部标签页">
            {tabs.length}
          </Button>
        </Dropdown>
      )}
      <Dropdown trigger={['click']} placement="bottomRight" menu={tabMenu(active, actions)}>
        <Button type="text" size="small" icon={<DownOutlined />} aria-label="标签页操作" title="标签页操作" />
      </Dropdown>
    </div>
  );
}

interface TabLinkProps {
  tab: Tab;
  active: boolean;
  focusable: boolean;
  /** Closes by its cross and the middle button. */
  closable: boolean;
  dirty: boolean;
  waiting: number;
  mark: 'before' | 'after' | undefined;
  onClose: (key: string) => void;
  drag: ReturnType<ReturnType<typeof useTabDrag>['handlersOf']>;
}

function TabLink({ tab, active, focusable, closable, dirty, waiting, mark, onClose, drag }: TabLinkProps) {
  const path = pathOf(tab);
  return (
    <a
      id={tabId(tab.key)}
      className="ht-app-tab"
      role="tab"
      href={path}
      data-key={tab.key}
      data-drop={mark}
      aria-selected={active}
      aria-controls={active ? panelId(tab.key) : undefined}
      aria-keyshortcuts="Delete"
      tabIndex={focusable ? 0 : -1}
      title={tab.title}
      draggable
      {...drag}
      onClick={(event) => onTabClick(event, tab, path, onClose)}
      onAuxClick={(event) => {
        if (event.button !== 1 || !closable) return;
        event.preventDefault();
        onClose(tab.key);
      }}
    >
      {tab.pinned ? (
        <PushpinFilled className="ht-app-tab-pin" aria-label="已固定" />
      ) : (
        tab.key === HOME && <HomeOutlined className="ht-app-tab-pin" aria-hidden />
      )}
      {dirty && <span className="ht-app-tab-dirty" role="img" aria-label="有未保存的修改" />}
      <span className="ht-app-tab-title">{tab.title}</span>
      {waiting > 0 && (
        <span className="ht-app-tab-count" aria-label={`${waiting} 项待处理`}>
          {shortCount(waiting)}
        </span>
      )}
      {closable && (
        <span className="ht-app-tab-close" data-close aria-hidden="true">
          <CloseOutlined />
        </span>
      )}
    </a>
  );
}

function onTabClick(event: MouseEvent, tab: Tab, path: string, close: (key: string) => void) {
  if (event.target instanceof Element && event.target.closest('[data-close]')) {
    event.preventDefault();
    close(tab.key);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openPath(path);
}

const tabKeyOf = (target: EventTarget): string | null =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? null) : null;

function onKey(event: KeyboardEvent<HTMLElement>, close: (key: string) => void) {
  const key = tabKeyOf(event.target);
  if (key === null) return;
  const { tabs, move } = useTabs.getState();
  const index = tabs.findIndex((tab) => tab.key === key);
  const focus = (i: number) => {
    const next = tabs[(i + tabs.length) % tabs.length];
    if (next) document.getElementById(tabId(next.key))?.focus();
  };
  const isMove = event.altKey && event.shiftKey;
  const handlers: Record<string, () => void> = {
    ArrowLeft: () => (isMove ? move(key, Math.max(index - 1, 0)) : focus(index - 1)),
    ArrowRight: () => (isMove ? move(key, index + 1) : focus(index + 1)),
    Home: () => focus(0),
    End: () => focus(tabs.length - 1),
    ' ': () => {
      const tab = tabs[index];
      if (tab) openPath(pathOf(tab));
    },
    Delete: () => {
      focus(index === tabs.length - 1 ? index - 1 : index + 1);
      close(key);
    },
  };
  const handler = handlers[event.key];
  if (!handler) return;
  event.preventDefault();
  handler();
}
