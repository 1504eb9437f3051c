import './trusted-types.ts';
import './theme.css';
import './shell/shell.css';
import './shell/bell.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startPreferences } from './api/preference.ts';
import { clearSession, onSessionChange, readSession } from './api/session.ts';
import { matchPage } from './pages.ts';
import { createConsoleRouter } from './router.ts';
import { Console } from './shell/Console.tsx';
import { toLogin } from './shell/leave.ts';
import { preloadPage } from './shell/page-component.ts';
import { useTabs } from './shell/tabs.ts';

const session = readSession();
if (session) start(session.admin);
else {
  // What is stored and out of date is no session.
  clearSession();
  toLogin();
}

function start(admin: string) {
  startPreferences(admin);
  // The end of the session, or another operator's begin, is that of every window.
  onSessionChange((next) => {
    if (next?.admin === admin) return;
    useTabs.setState({ guarded: {} });
    toLogin();
  });
  const first = matchPage(window.location.pathname === '/' ? '/home' : window.location.pathname);
  if (first) preloadPage(first.page);
  // In a task of its own: to get here took one already.
  setTimeout(() => draw(admin));
}

function draw(admin: string) {
  const root = document.querySelector('#root');
  if (!root) throw new Error('the document has no root');
  createRoot(root).render(
    <StrictMode>
      <Console router={createConsoleRouter(admin)} />
    </StrictMode>,
  );
}
