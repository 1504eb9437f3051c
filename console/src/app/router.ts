import { createBrowserRouter, redirect } from 'react-router';
import { readSession } from '../api/session.ts';
import type { PageDef } from '../navigation/page-def.ts';
import { matchPage } from '../navigation/page-table.ts';
import { Shell } from './Shell.tsx';
import { setNavigate } from '../navigation/open-path.ts';
import { readTabs, saveTabs } from './saved-tabs.ts';
import { useTabs } from '../navigation/tabs.ts';

const isAllowed = (page: PageDef) => !page.planSet || readSession()?.planSet === true;

/**
 * Redirects the root and pages the operator may not open to home. Without a session the redirect to the login is
 * already under way.
 */
function redirectIfForbidden({ request }: { request: Request }) {
  const { pathname } = new URL(request.url);
  const match = matchPage(pathname);
  if (pathname === '/' || (match && !isAllowed(match.page))) throw redirect('/home');
  return null;
}

/**
 * The router only holds the address. Pages are rendered from the tabs store, which follows the router outside React.
 */
export function createConsoleRouter(admin: string) {
  const { restore, visit } = useTabs.getState();
  restore(readTabs(admin), isAllowed);

  const router = createBrowserRouter([
    { path: '*', loader: redirectIfForbidden, Component: Shell, HydrateFallback: () => null },
  ]);
  setNavigate((path, { replace }) => void router.navigate(path, { replace }));

  const visitCurrentLocation = () => {
    const { initialized, navigation, location } = router.state;
    if (initialized && navigation.state === 'idle') visit(location);
  };
  router.subscribe(visitCurrentLocation);
  visitCurrentLocation();

  let saved = useTabs.getState().tabs;
  useTabs.subscribe(({ tabs }) => {
    if (tabs === saved) return;
    saved = tabs;
    saveTabs(admin, tabs);
  });
  return router;
}
