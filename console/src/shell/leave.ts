const RETURN = 'back';

/** To the login, from where the same address is shown again. */
export function toLogin() {
  const { pathname, search } = window.location;
  const back = pathname === '/' || pathname === '/home' ? '' : `?${RETURN}=${encodeURIComponent(pathname + search)}`;
  window.location.replace(`/login${back}`);
}
