import './shell/shell.css';
import './shell/bell.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Session, onSessionChange, readSession } from './api/session.ts';
import { matchPage } from './page-match.ts';
import { createConsoleRouter } from './router.ts';
import { Console } from './shell/Console.tsx';
import { toLogin } from './shell/leave.ts';
import { preloadPage } from './shell/page-component.ts';
import { useTabs } from './shell/tabs.ts';

/** Draws the console for the operator at work. */
export function begin(admin: string) {
  // The end of the session, or another operator's begin, is that of every window.
  const follow = (next: Session | null) => {
    if (next?.admin === admin) return true;
    useTabs.setState({ guarded: {} });
    toLogin();
    return false;
  };
  // It may have ended while this was loaded.
  if (!follow(readSession())) return;
  onSessionChange(follow);
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
