import { readSession } from '../api/session.ts';
import { setNavigate } from '../navigation/open-path.ts';
import type { PageDef } from '../navigation/page-def.ts';
import { matchPage } from '../navigation/page-table.ts';
import { useTabs } from '../navigation/tabs.ts';
import { ask } from '../ui/question.ts';
import { followAddress } from './address.ts';
import { readTabs, saveTabs } from './saved-tabs.ts';

const isAllowed = (page: PageDef) => !page.planSet || readSession()?.planSet === true;

/** Whether a page that is not kept would be left with unsaved forms. */
function losesForms(pathname: string): boolean {
  const { tabs, active, guarded } = useTabs.getState();
  const current = tabs.find((tab) => tab.key === active);
  return Boolean(current && !current.page.keep && current.key !== pathname && guarded[current.key]?.length);
}

const askToLeave = (proceed: () => void) =>
  ask({
    title: '有未保存的修改',
    content: '离开此页后修改将丢失。',
    verb: '离开并放弃修改',
    back: '留在此页',
    onConfirm: proceed,
  });

/**
 * Joins the address of the window to the tabs, from which the pages are rendered. The root and pages that the operator may
 * not open lead to home.
 */
export function startRouter(admin: string): void {
  const { restore, visit } = useTabs.getState();
  restore(readTabs(admin), isAllowed);
  const navigate = followAddress({
    mustAsk: losesForms,
    ask: askToLeave,
    visit: ({ pathname, search }) => {
      const match = matchPage(pathname);
      if (pathname === '/' || (match && !isAllowed(match.page))) return '/home';
      visit({ pathname, search });
      return undefined;
    },
  });
  setNavigate(navigate);

  let saved = useTabs.getState().tabs;
  useTabs.subscribe(({ tabs }) => {
    if (tabs === saved) return;
    saved = tabs;
    saveTabs(admin, tabs);
  });
}
