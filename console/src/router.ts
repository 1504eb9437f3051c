import { createBrowserRouter, redirect } from 'react-router';
import { readSession } from './api/session.ts';
import type { PageDef } from './page-def.ts';
import { matchPage } from './page-match.ts';
import { Shell } from './shell/Shell.tsx';
import { setNavigate } from './shell/go.ts';
import { readTabs, saveTabs } from './shell/saved-tabs.ts';
import { useTabs } from './shell/tabs.ts';

const allowed = (page: PageDef) => !page.planSet || readSession()?.planSet === true;

/** Which addresses lead elsewhere. Without a session the window is already on its way to the login. */
function guard({ request }: { request: Request }) {
  const { pathname } = new URL(request.url);
  const match = matchPage(pathname);
  if (pathname === '/' || (match && !allowed(match.page))) throw redirect('/home');
  return null;
}

/**
 * The router carries the address and nothing else: what is drawn comes from the tabs, which follow the router from
 * outside of React.
 */
export function createConsoleRouter(admin: string) {
  const { restore, visit } = useTabs.getState();
  restore(readTabs(admin), allowed);

  const router = createBrowserRouter([{ path: '*', loader: guard, Component: Shell, HydrateFallback: () => null }]);
  setNavigate((path, { replace }) => void router.navigate(path, { replace }));

  const follow = () => {
    const { initialized, navigation, location } = router.state;
    if (initialized && navigation.state === 'idle') visit(location);
  };
  router.subscribe(follow);
  follow();

  let saved = useTabs.getState().tabs;
  useTabs.subscribe(({ tabs }) => {
    if (tabs === saved) return;
    saved = tabs;
    saveTabs(admin, tabs);
  });
  return router;
}
