import { useCallback, useSyncExternalStore } from 'react';

/**
 * What an operator likes, by key. It is kept in this browser; whoever wants it elsewhere replaces `store` and nothing
 * else.
 */
interface PreferenceStore {
  read(key: string): string | null;
  write(key: string, value: string | null): void;
}

const PREFIX = 'hengtai.preference.';
const listeners = new Set<() => void>();
const memory = new Map<string, string | null>();

const store: PreferenceStore = {
  read(key) {
    if (!memory.has(key)) memory.set(key, fromBrowser(key));
    return memory.get(key) ?? null;
  },
  write(key, value) {
    memory.set(key, value);
    try {
      if (value === null) localStorage.removeItem(PREFIX + key);
      else localStorage.setItem(PREFIX + key, value);
    } catch {
      // A full or forbidden store: the preference lives until the page is closed.
    }
    for (const listener of listeners) listener();
  },
};

function fromBrowser(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

function onOtherWindow(event: StorageEvent) {
  if (event.key !== null && !event.key.startsWith(PREFIX)) return;
  if (event.key === null) memory.clear();
  else memory.delete(event.key.slice(PREFIX.length));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) window.addEventListener('storage', onOtherWindow);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onOtherWindow);
  };
}

/**
 * A preference and its setter; undefined in the setter goes back to the default. `check` turns what was stored, maybe by
 * an older version, into a value or undefined; give it a stable identity.
 */
export function usePreference<T>(key: string, fallback: T, check: (stored: unknown) => T | undefined) {
  const text = useSyncExternalStore(subscribe, () => store.read(key));
  const set = useCallback(
    (next: T | undefined) => store.write(key, next === undefined ? null : JSON.stringify(next)),
    [key],
  );
  return [parse(text, check) ?? fallback, set] as const;
}

const parsed = new Map<string, unknown>();

/** Parsed once for each text, so that an unchanged preference keeps its identity. */
function parse<T>(text: string | null, check: (stored: unknown) => T | undefined): T | undefined {
  if (text === null) return undefined;
  if (!parsed.has(text)) {
    try {
      parsed.set(text, JSON.parse(text));
    } catch {
      parsed.set(text, undefined);
    }
  }
  return check(parsed.get(text));
}
