const BACK_PARAM = 'back';

let isLeaving = false;

/**
 * Redirects to the login, which returns to the current address. Runs once, because every concurrent call that finds the
 * session ended would redirect again.
 */
export function goToLogin() {
  if (isLeaving) return;
  isLeaving = true;
  // The back button may restore this document from the back/forward cache.
  window.addEventListener('pageshow', () => (isLeaving = false), { once: true });
  const { pathname, search } = window.location;
  const query =
    pathname === '/' || pathname === '/home' ? '' : `?${BACK_PARAM}=${encodeURIComponent(pathname + search)}`;
  window.location.replace(`/login${query}`);
}
