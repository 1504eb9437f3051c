import { useCallback, useSyncExternalStore } from 'react';
import { preferences } from './preferences.ts';

/**
 * A preference and its setter; setting undefined restores the default. `check` converts a stored value, possibly of an
 * older version, to a valid one or undefined; it must keep its identity.
 */
export function usePreference<T>(key: string, fallback: T, check: (stored: unknown) => T | undefined) {
  const text = useSyncExternalStore(preferences.subscribe, () => preferences.read(key));
  const set = useCallback(
    (next: T | undefined) => preferences.write(key, next === undefined ? null : JSON.stringify(next)),
    [key],
  );
  return [parseCached(text, check) ?? fallback, set] as const;
}

/** The current value, also if it is not rendered yet. */
export const readPreference = <T>(key: string, fallback: T, check: (stored: unknown) => T | undefined): T =>
  parseCached(preferences.read(key), check) ?? fallback;

/** Synchronization state of the preferences. */
export const usePreferenceState = () => useSyncExternalStore(preferences.subscribe, preferences.state);

const parsed = new Map<string, unknown>();
const PARSED_MAX = 500;

/** Memoized by text, so that an unchanged preference keeps its identity. */
function parseCached<T>(text: string | null, check: (stored: unknown) => T | undefined): T | undefined {
  if (text === null) return undefined;
  if (!parsed.has(text)) {
    const oldest = parsed.size >= PARSED_MAX ? parsed.keys().next().value : undefined;
    if (oldest !== undefined) parsed.delete(oldest);
    parsed.set(text, parseJson(text));
  }
  return check(parsed.get(text));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
