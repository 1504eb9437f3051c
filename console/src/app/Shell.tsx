import { startTransition, useEffect, useState } from 'react';
import { type Blocker, useBlocker } from 'react-router';
import { LOGIN_DONE } from '@hengtai/contract/house/session/calls';
import { toast } from '../api/toast.ts';
import { startNotify, useCounts } from '../api/notify.ts';
import { WELCOME_KEY } from '../api/handover.ts';
import { useMe } from '../api/me.ts';
import { ask } from '../ui/dialog/question.ts';
import { dialogOnDemand, onDemand } from '../ui/page/on-demand.tsx';
import { usePreference } from '../ui/browser/preference.ts';
import { Banners } from './Banners.tsx';
import { FirstPageSkeleton } from './FirstPageSkeleton.tsx';
import { FootBanners } from './FootBanners.tsx';
import { Header } from './Header.tsx';
import { SideMenu } from './SideMenu.tsx';
import { useKeys } from '../ui/browser/keys.ts';
import { TabPages } from './TabPages.tsx';
import { useTabs } from '../navigation/tabs.ts';
import { shortCount, totalOf } from '../domains/desk/notification/exported/waiting.ts';

const Shortcuts = dialogOnDemand(async () => (await import('../ui/dialog/Shortcuts.tsx')).Shortcuts);
const Watermark = onDemand(async () => (await import('./Watermark.tsx')).Watermark);

/** Nouns without personal data or money. All others get a watermark, so that new pages have one by default. */
const WITHOUT_WATERMARK: readonly string[] = ['market', 'plan', 'announce', 'config', 'signal'];

const parseFlag = (stored: unknown): boolean | undefined => (typeof stored === 'boolean' ? stored : undefined);

/** The frame around all pages: menu, header, banners. */
export function Shell() {
  const [collapsed, setCollapsed] = usePreference<boolean>('menu.collapsed', false, parseFlag);
  useEffect(startNotify, []);
  useWindowTitle();
  useWelcome();
  useUnsavedGuard();
  const isFrameReady = useFrameReady();
  return (
    <div className="ht-app-shell" data-collapsed={collapsed}>
      <SideMenu collapsed={collapsed} />
      <div className="ht-app-body">
        <Header collapsed={collapsed} onCollapse={() => setCollapsed(!collapsed)} />
        <Banners />
        {isFrameReady ? (
          <TabPages />
        ) : (
          <main className="ht-app-pages">
            <div className="ht-app-page">
              <FirstPageSkeleton />
            </div>
          </main>
        )}
        <FootBanners />
        {isFrameReady && <PageWatermark />}
      </div>
      <Help />
    </div>
  );
}

/**
 * True once the frame has been rendered. The pages follow in a transition, because both at once would be one long task.
 */
function useFrameReady(): boolean {
  const [isFrameReady, setIsFrameReady] = useState(false);
  useEffect(() => startTransition(() => setIsFrameReady(true)), []);
  return isFrameReady;
}

/** The dialog of `?`, on every page. */
function Help() {
  const [isOpen, setIsOpen] = useState(false);
  useKeys({ '?': () => setIsOpen(true) });
  if (!isOpen) return null;
  return <Shortcuts onClose={() => setIsOpen(false)} />;
}

/** The watermark, if the setting is on and the current page requires it. */
function PageWatermark() {
  const { watermark } = useMe();
  const noun = useTabs(({ tabs, active }) => tabs.find((tab) => tab.key === active)?.page.noun);
  if (!watermark || noun === undefined || WITHOUT_WATERMARK.includes(noun)) return null;
  return <Watermark />;
}

function useWindowTitle() {
  const title = useTabs(({ tabs, active }) => tabs.find((tab) => tab.key === active)?.title);
  const total = totalOf(useCounts());
  useEffect(() => {
    const waiting = total > 0 ? `(${shortCount(total)}) ` : '';
    document.title = waiting + (title ? `${title} · 衡台` : '衡台 HengTai');
  }, [title, total]);
}

/** The login page shows this toast too but is left at once, so the console repeats it. */
function useWelcome() {
  useEffect(() => {
    if (sessionStorage.getItem(WELCOME_KEY) === null) return;
    sessionStorage.removeItem(WELCOME_KEY);
    toast.success(LOGIN_DONE);
  }, []);
}

/** Asks before unsaved forms are lost: when the window closes, or a page that is not kept is left. */
function useUnsavedGuard() {
  useEffect(() => {
    const confirmUnload = (event: BeforeUnloadEvent) => {
      const { guarded } = useTabs.getState();
      if (Object.values(guarded).some((forms) => forms.length > 0)) event.preventDefault();
    };
    window.addEventListener('beforeunload', confirmUnload);
    return () => window.removeEventListener('beforeunload', confirmUnload);
  }, []);

  const blocker = useBlocker(({ nextLocation }) => {
    const { tabs, active, guarded } = useTabs.getState();
    const current = tabs.find((tab) => tab.key === active);
    return Boolean(
      current && !current.page.keep && current.key !== nextLocation.pathname && guarded[current.key]?.length,
    );
  });
  useEffect(() => {
    if (blocker.state === 'blocked') askToLeave(blocker);
  }, [blocker]);
}

function askToLeave(blocker: Extract<Blocker, { state: 'blocked' }>) {
  ask({
    title: '有未保存的修改',
    content: '离开此页后修改将丢失。',
    verb: '离开并放弃修改',
    back: '留在此页',
    onConfirm: () => blocker.proceed(),
    onBack: () => blocker.reset(),
  });
}
