import { App } from 'antd';
import { Suspense, lazy, startTransition, useEffect, useState } from 'react';
import { type Blocker, useBlocker } from 'react-router';
import { LOGIN_DONE } from '@hengtai/contract/session';
import { toast } from '../api/toast.ts';
import { startNotify, useCounts } from '../api/notify.ts';
import { WELCOME_KEY } from '../login/handover.ts';
import { useMe } from '../api/me.ts';
import { usePreference } from '../ui/preference.ts';
import { Banners } from './Banners.tsx';
import { Header } from './Header.tsx';
import { SideMenu } from './SideMenu.tsx';
import { TabPages } from './TabPages.tsx';
import { useTabs } from './tabs.ts';
import { shortCount, totalOf } from './waiting.ts';

const Watermark = lazy(async () => ({ default: (await import('./Watermark.tsx')).Watermark }));

/** Pages without anybody's data or money; every other page is marked, so that a new one is not forgotten. */
const PLAIN: readonly string[] = ['market', 'plan', 'announce', 'config'];

const isFlag = (stored: unknown): boolean | undefined => (typeof stored === 'boolean' ? stored : undefined);

/** The frame around all pages. */
export function Shell() {
  const [collapsed, setCollapsed] = usePreference<boolean>('menu.collapsed', false, isFlag);
  useEffect(startNotify, []);
  useWindowTitle();
  useWelcome();
  useUnsavedGuard();
  const framed = useFramed();
  return (
    <div className="sh-shell" data-collapsed={collapsed}>
      <SideMenu collapsed={collapsed} />
      <div className="sh-body">
        <Header collapsed={collapsed} onCollapse={() => setCollapsed(!collapsed)} />
        <Banners />
        {framed && <TabPages />}
        {framed && <Marked />}
      </div>
    </div>
  );
}

/** Whether the frame stands: what is within comes after it, since both at once would keep the browser too long. */
function useFramed(): boolean {
  const [framed, setFramed] = useState(false);
  useEffect(() => startTransition(() => setFramed(true)), []);
  return framed;
}

/** The watermark, where a setting wants it and the page in sight is one to be marked. */
function Marked() {
  const { watermark } = useMe();
  const noun = useTabs(({ tabs, active }) => tabs.find((tab) => tab.key === active)?.page.noun);
  if (!watermark || noun === undefined || PLAIN.includes(noun)) return null;
  return (
    <Suspense>
      <Watermark />
    </Suspense>
  );
}

function useWindowTitle() {
  const title = useTabs(({ tabs, active }) => tabs.find((tab) => tab.key === active)?.title);
  const total = totalOf(useCounts());
  useEffect(() => {
    const waiting = total > 0 ? `(${shortCount(total)}) ` : '';
    document.title = waiting + (title ? `${title} · 衡台` : '衡台 HengTai');
  }, [title, total]);
}

/** The login has said it already and was then left at once; here it is said to the end. */
function useWelcome() {
  useEffect(() => {
    if (sessionStorage.getItem(WELCOME_KEY) === null) return;
    sessionStorage.removeItem(WELCOME_KEY);
    toast.success(LOGIN_DONE);
  }, []);
}

/** Unsaved forms: the window asks before it closes, a page that is not kept before it is left. */
function useUnsavedGuard() {
  const { modal } = App.useApp();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const { guarded } = useTabs.getState();
      if (Object.values(guarded).some((forms) => forms.length > 0)) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);

  const blocker = useBlocker(({ nextLocation }) => {
    const { tabs, active, guarded } = useTabs.getState();
    const left = tabs.find((tab) => tab.key === active);
    return Boolean(left && !left.page.keep && left.key !== nextLocation.pathname && guarded[left.key]?.length);
  });
  useEffect(() => {
    if (blocker.state === 'blocked') askToLeave(modal, blocker);
  }, [blocker, modal]);
}

function askToLeave(modal: ReturnType<typeof App.useApp>['modal'], blocker: Extract<Blocker, { state: 'blocked' }>) {
  modal.confirm({
    title: '有未保存的修改',
    content: '离开此页后修改将丢失。',
    okText: '离开并放弃修改',
    cancelText: '留在此页',
    okButtonProps: { danger: true },
    autoFocusButton: 'cancel',
    onOk: () => blocker.proceed(),
    onCancel: () => blocker.reset(),
  });
}
