import { Activity, Suspense, createElement, memo, useMemo } from 'react';
import { useMe } from '../api/me.ts';
import { QueryTab } from '../api/tab-queries.ts';
import { canOpen } from '../navigation/can-open.ts';
import type { PageDef } from '../navigation/page-def.ts';
import { NoPage, NoPermission } from './NoPage.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import { panelId, tabId } from './TabBar.tsx';
import { componentOf } from '../navigation/page-component.ts';
import { ActiveContext, TabContext } from '../navigation/page-route.ts';
import { useTabActions } from '../navigation/tab-actions.ts';
import { type Tab, useTabs } from '../navigation/tabs.ts';
import { PageSkeleton } from '../ui/page/PageSkeleton.tsx';

/**
 * Renders the pages of the tabs. Each is an Activity with its own address; hidden ones keep their state and do not
 * re-render when the address of the window changes. Sorted by key, so that moving a tab does not move its DOM.
 */
export function TabPages() {
  const tabs = useTabs((state) => state.tabs);
  const active = useTabs((state) => state.active);
  const mounted = useTabs((state) => state.mounted);
  const mountedTabs = useMemo(
    () =>
      tabs
        .filter((tab) => tab.key === active || (tab.page.keep && mounted.includes(tab.key)))
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
    [tabs, active, mounted],
  );
  return (
    <main className="ht-app-pages">
      {active === null && <NoPage />}
      {mountedTabs.map((tab) => (
        <Activity key={`${tab.key}#${tab.gen}`} mode={tab.key === active ? 'visible' : 'hidden'}>
          <ActiveContext value={tab.key === active}>
            <PageHost tab={tab} />
          </ActiveContext>
        </Activity>
      ))}
    </main>
  );
}

interface Props {
  tab: Tab;
}

const PageHost = memo(function PageHost({ tab }: Props) {
  const { refresh } = useTabActions();
  return (
    <TabContext value={tab}>
      <QueryTab value={tab.key}>
        <div
          className="ht-app-page"
          role="tabpanel"
          id={panelId(tab.key)}
          aria-labelledby={tabId(tab.key)}
          tabIndex={0}
        >
          <PageBoundary onRetry={() => refresh(tab.key)}>
            <Suspense fallback={<PageSkeleton shape={tab.page.shape} title={tab.page.title} />}>
              <PermittedPage page={tab.page} />
            </Suspense>
          </PageBoundary>
        </div>
      </QueryTab>
    </TabContext>
  );
});

function PermittedPage({ page }: { page: PageDef }) {
  return canOpen(useMe(), page) ? createElement(componentOf(page)) : <NoPermission title={page.title} />;
}
