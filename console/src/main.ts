import './trusted-types.ts';
import './theme.css';
import { session as calls } from '@hengtai/contract/session';
import { prefetch } from './api/prefetch.ts';
import { startPreferences } from './api/preference.ts';
import { clearSession, readSession } from './api/session.ts';
import { pages } from './pages.ts';
import { toLogin } from './shell/leave.ts';

const session = readSession();
if (session) start(session.admin);
else {
  // What is stored and out of date is no session.
  clearSession();
  toLogin();
}

/** All that the first screen needs is asked for at once: its programs, who is at work, and how they like to see it. */
function start(admin: string) {
  const { pathname } = window.location;
  const desk = import('./desk.tsx');
  const first = pages.find(({ path }) => path === (pathname === '/' ? '/home' : pathname));
  // What is wrong with it is said where the page is drawn.
  first?.load().catch(() => undefined);
  prefetch(calls.me, {});
  startPreferences(admin);
  void desk.then(({ begin }) => begin(admin));
}
