import './trusted-types.ts';
import '../ui/page/theme.css';
import { session as calls } from '@hengtai/contract/house/session/calls';
import { prefetch } from '../api/prefetch.ts';
import { startPreferences } from '../api/preference.ts';
import { clearSession, readSession } from '../api/session.ts';
import { pages } from './pages.ts';
import { goToLogin } from './leave.ts';

const session = readSession();
if (session) start(session.admin);
else {
  // An expired session may still be stored.
  clearSession();
  goToLogin();
}

/** Requests everything the first screen needs in parallel: its scripts, the operator and the preferences. */
function start(admin: string) {
  const { pathname } = window.location;
  const desk = import('./desk.tsx');
  const currentPage = pages.find(({ path }) => path === (pathname === '/' ? '/home' : pathname));
  // The error is shown where the page is rendered.
  currentPage?.load().catch(() => undefined);
  prefetch(calls.me, {});
  startPreferences(admin);
  void desk.then(({ startConsole }) => startConsole(admin, pages));
}
