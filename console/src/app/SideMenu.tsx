import './side-menu.css';
import { ExportOutlined } from '@ant-design/icons';
import { Menu, type MenuProps } from 'antd';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useMe } from '../api/me.ts';
import { useCounts } from '../api/notify.ts';
import { readPreference, usePreference } from '../ui/browser/preference.ts';
import { Logo } from '../ui/page/Logo.tsx';
import { KLINE_SETTING_PATH } from '../navigation/kline-setting-path.ts';
import { openPath } from '../navigation/open-path.ts';
import { CHART_SITE, type MenuEntry, groupOf, menuOf } from './menu.tsx';
import { pathOf, useTabs } from '../navigation/tabs.ts';
import { badgesOf, shortCount } from '../domains/desk/notification/exported/waiting.ts';

type Item = NonNullable<MenuProps['items']>[number];

interface Props {
  collapsed: boolean;
}

/** Side menu: 250 pixels wide, 64 when collapsed. */
export function SideMenu({ collapsed }: Props) {
  const me = useMe();
  const counts = useCounts();
  const items = useMemo(() => {
    const badges = badgesOf(counts);
    return menuOf(me).map((entry) => itemOf(entry, badges));
  }, [me, counts]);
  const page = useTabs(({ tabs, active }) => tabs.find((tab) => tab.key === active)?.page);
  const group = page && groupOf(page.path);
  const { openKeys, opened, onOpenChange } = useOpenGroups(group);
  const box = useRef<HTMLDivElement>(null);
  const reveal = useRevealed(box, page?.path, opened);

  return (
    <nav className="ht-app-side" aria-label="主菜单" data-collapsed={collapsed}>
      <a className="ht-app-brand" href="/home" onClick={openInTab('/home')} aria-label="衡台 HengTai 首页">
        <Logo size={30} />
        {!collapsed && (
          <span>
            <b>衡台</b> HengTai
          </span>
        )}
      </a>
      <div className="ht-app-menu" ref={box} onTransitionEnd={reveal}>
        <Menu
          theme="dark"
          mode="inline"
          inlineCollapsed={collapsed}
          inlineIndent={20}
          items={items}
          selectedKeys={page ? [page.path] : []}
          {...(!collapsed && { openKeys })}
          onOpenChange={(keys) => !collapsed && onOpenChange(keys)}
          onClick={({ key, domEvent }) => {
            if (key === CHART_SITE && me.kline) openSite(domEvent, me.kline);
            else if (meansNewWindow(domEvent)) return;
            else if (key === CHART_SITE) openPath(KLINE_SETTING_PATH);
            else goToPage(key);
          }}
        />
      </div>
    </nav>
  );
}

const OPEN_KEY = 'menu.open';
const NO_KEYS: readonly string[] = [];

const parseFlag = (stored: unknown): boolean | undefined => (typeof stored === 'boolean' ? stored : undefined);
const parseKeys = (stored: unknown): readonly string[] | undefined =>
  Array.isArray(stored) && stored.every((key) => typeof key === 'string') ? stored : undefined;

/** Whether several groups of the menu stay open; otherwise opening one closes the others. */
export const useSeveralGroups = () => usePreference<boolean>('menu.several', false, parseFlag);

interface OpenGroups {
  /** Group of the page for which the groups were last opened. */
  of: string | undefined;
  keys: readonly string[];
  /** The group opened last. */
  opened: string | undefined;
}

/** The open groups; that of the current page opens with the page. Several open groups are kept as a preference. */
function useOpenGroups(group: string | undefined) {
  const [isSeveral] = useSeveralGroups();
  const [, setKept] = usePreference(OPEN_KEY, NO_KEYS, parseKeys);
  const [open, setOpen] = useState<OpenGroups>(() => ({
    of: undefined,
    keys: isSeveral ? readPreference(OPEN_KEY, NO_KEYS, parseKeys) : NO_KEYS,
    opened: undefined,
  }));
  const { of, keys, opened } = open;
  if (group !== of) {
    const withGroup = group === undefined ? keys : isSeveral ? [...new Set([...keys, group])] : [group];
    setOpen({ of: group, keys: withGroup, opened: group });
  }
  useEffect(() => {
    if (isSeveral) setKept(keys);
  }, [isSeveral, keys, setKept]);
  const onOpenChange = (next: string[]) => {
    const added = next.filter((key) => !keys.includes(key));
    setOpen({ of: group, keys: isSeveral || added.length === 0 ? next : added, opened: added.at(-1) });
  };
  return { openKeys: [...keys], opened, onOpenChange };
}

/** Scrolls to a group when it opens and to the entry of the current page when that changes, and again once they are open. */
function useRevealed(box: RefObject<HTMLElement | null>, path: string | undefined, opened: string | undefined) {
  const due = useRef<readonly string[]>([]);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const group = opened === undefined ? [] : [`.ant-menu-submenu:has(> [data-menu-id$="-${opened}"])`];
    due.current = path === shown.current ? group : [...group, '.ant-menu-item-selected'];
    shown.current = path;
    // In the next frame, which computes the layout anyway.
    const frame = requestAnimationFrame(() => scrollTo(box.current, due.current));
    return () => cancelAnimationFrame(frame);
  }, [box, path, opened]);
  return () => {
    scrollTo(box.current, due.current);
    due.current = [];
  };
}

const scrollTo = (box: HTMLElement | null, selectors: readonly string[]) => {
  for (const selector of selectors) box?.querySelector(selector)?.scrollIntoView({ block: 'nearest' });
};

type Badges = ReturnType<typeof badgesOf>;

/** Menu item with count. A collapsed group shows the sum of its entries, a collapsed menu a dot. */
function itemOf({ key, icon, label, path, site, children }: MenuEntry, badges: Badges): Item {
  if (children) {
    const waitingInside = children.reduce((sum, child) => sum + (badges[child.key] ?? 0), 0);
    const items = children.map((child) => itemOf(child, badges));
    return { key, icon: withDot(icon, waitingInside), label: withCount(label, waitingInside), children: items };
  }
  if (site !== undefined) {
    const link = (
      <a href={site} target="_blank" rel="noopener noreferrer" tabIndex={-1}>
        {label} <ExportOutlined aria-label="新窗口打开" />
      </a>
    );
    return { key, icon, label: link, title: `${label}（新窗口打开）` };
  }
  if (path === undefined) return { key, icon, label, disabled: true };
  const waiting = badges[path] ?? 0;
  return {
    key,
    icon: withDot(icon, waiting),
    label: (
      <a href={path} tabIndex={-1} onClick={(event) => !meansNewWindow(event) && event.preventDefault()}>
        {withCount(label, waiting)}
        {key === CHART_SITE && <span className="ht-app-unset">去设置</span>}
      </a>
    ),
    title: key === CHART_SITE ? '尚未填写行情图网站地址，点击去设置' : label,
  };
}

/** A div, because the kit treats a span as its own title element. */
const withCount = (label: string, waiting: number): ReactNode =>
  waiting === 0 ? (
    label
  ) : (
    <div className="ht-app-counted">
      <span>{label}</span>
      <b className="ht-app-count" aria-label={`${waiting} 项待办`}>
        {shortCount(waiting)}
      </b>
    </div>
  );

const withDot = (icon: ReactNode, waiting: number): ReactNode =>
  icon === undefined || waiting === 0 ? icon : <span className="ht-app-dotted">{icon}</span>;

interface Modifiers {
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

const meansNewWindow = (event: Modifiers) => event.ctrlKey || event.metaKey || event.shiftKey;

/** A click on the link opens it by itself; a click beside it or Enter on the entry is handled here. */
function openSite({ target }: { target: EventTarget }, site: string) {
  if (site !== '' && !(target as HTMLElement).closest('a')) window.open(site, '_blank', 'noopener,noreferrer');
}

const openInTab = (path: string) => (event: MouseEvent) => {
  if (meansNewWindow(event)) return;
  event.preventDefault();
  goToPage(path);
};

/** Opens a page; an open tab keeps its filters. */
function goToPage(path: string) {
  const tab = useTabs.getState().tabs.find((candidate) => candidate.key === path);
  openPath(tab ? pathOf(tab) : path);
}
