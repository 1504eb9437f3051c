import './shell.css';
import './kit-dark.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Session, onSessionChange, readSession } from '../api/session.ts';
import type { PageDef } from '../navigation/page-def.ts';
import { matchPage, setPages } from '../navigation/page-table.ts';
import { createConsoleRouter } from './router.ts';
import { Console } from './Console.tsx';
import { goToLogin } from './leave.ts';
import { preloadPage } from '../navigation/page-component.ts';
import { useTabs } from '../navigation/tabs.ts';

/** Starts the console for the logged-in operator; redirects to the login if the session has ended. */
export function startConsole(admin: string, pages: readonly PageDef[]) {
  setPages(pages);
  // True while the session is this operator's. A logout or another login, in any window, ends the console here too.
  const checkSession = (next: Session | null) => {
    if (next?.admin === admin) return true;
    useTabs.setState({ guarded: {} });
    goToLogin();
    return false;
  };
  // The session may have ended while this chunk was loading.
  if (!checkSession(readSession())) return;
  onSessionChange(checkSession);
  const match = matchPage(window.location.pathname === '/' ? '/home' : window.location.pathname);
  if (match) preloadPage(match.page);
  // Rendering runs in its own task, because loading and evaluating this chunk was already a long one.
  setTimeout(() => renderConsole(admin));
}

function renderConsole(admin: string) {
  const root = document.querySelector('#root');
  if (!root) throw new Error('no #root in index.html');
  createRoot(root).render(
    <StrictMode>
      <Console router={createConsoleRouter(admin)} />
    </StrictMode>,
  );
}
