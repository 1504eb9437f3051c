const RETURN = 'back';

let leaving = false;

/**
 * To the login, from where the same address is shown again. Once: every call that learns meanwhile that the session is
 * over says so, and each would navigate again.
 */
export function toLogin() {
  if (leaving) return;
  leaving = true;
  // Back from the login a browser may show this very document again.
  window.addEventListener('pageshow', () => (leaving = false), { once: true });
  const { pathname, search } = window.location;
  const back = pathname === '/' || pathname === '/home' ? '' : `?${RETURN}=${encodeURIComponent(pathname + search)}`;
  window.location.replace(`/login${back}`);
}
