/**
 * Where to go after the login: an address of this console and nothing else, whatever the link said. What cannot be read
 * as a path of the own origin leads home.
 */
export function returnPath(search: string, origin: string): string {
  const back = new URLSearchParams(search).get('back');
  if (!back?.startsWith('/')) return '/home';
  let url: URL;
  try {
    url = new URL(back, origin);
  } catch {
    return '/home';
  }
  if (url.origin !== origin || /^\/(login|api|platform)(\/|\.|$)/.test(url.pathname)) return '/home';
  return url.pathname + url.search + url.hash;
}
