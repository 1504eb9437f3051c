/**
 * Path to open after the login: only a path of this console, never one of another origin, of the login or of the API.
 * Everything else leads home.
 */
export function returnPath(search: string, origin: string): string {
  const requested = new URLSearchParams(search).get('back');
  if (!requested?.startsWith('/')) return '/home';
  let url: URL;
  try {
    url = new URL(requested, origin);
  } catch {
    return '/home';
  }
  if (url.origin !== origin || /^\/(login|api|platform)(\/|\.|$)/.test(url.pathname)) return '/home';
  return url.pathname + url.search + url.hash;
}
