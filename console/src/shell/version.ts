import { useSyncExternalStore } from 'react';

const EVERY_MS = 5 * 60_000;

let outdated = false;
const listeners = new Set<() => void>();

/** Whether a newer version of the console is being served than the one that runs here. */
export const useOutdated = (): boolean => useSyncExternalStore(subscribe, () => outdated);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setOutdated() {
  outdated = true;
  for (const listener of listeners) listener();
}

/** The entry's name holds its hash, and with it that of everything behind it: a document naming another one is newer. */
async function check() {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!entry || import.meta.env.DEV) return;
  const response = await fetch('/home', { cache: 'no-store', credentials: 'omit' });
  const html = await response.text();
  if (response.ok && html.includes('id="root"') && !html.includes(entry)) setOutdated();
}

/** Looks once; without an answer nothing is said. */
export const lookForVersion = () => void check().catch(() => undefined);

export function watchVersion(): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') lookForVersion();
  };
  const timer = setInterval(lookForVersion, EVERY_MS);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
