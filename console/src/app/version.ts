import { useSyncExternalStore } from 'react';

const CHECK_MS = 5 * 60_000;

let isOutdated = false;
const listeners = new Set<() => void>();

/** Whether the server delivers a newer version of the console than the running one. */
export const useOutdated = (): boolean => useSyncExternalStore(subscribe, () => isOutdated);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setOutdated() {
  isOutdated = true;
  for (const listener of listeners) listener();
}

/**
 * The file name of the entry script contains a hash that depends on all chunks; a document with another entry is a
 * newer version.
 */
async function check() {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!entry || import.meta.env.DEV) return;
  const response = await fetch('/home', { cache: 'no-store', credentials: 'omit' });
  const html = await response.text();
  if (response.ok && html.includes('id="root"') && !html.includes(entry)) setOutdated();
}

/** Checks once; errors are ignored. */
export const checkForNewVersion = () => void check().catch(() => undefined);

/** Checks periodically and when the window becomes visible; the returned function stops it. */
export function watchVersion(): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') checkForNewVersion();
  };
  const timer = setInterval(checkForNewVersion, CHECK_MS);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
