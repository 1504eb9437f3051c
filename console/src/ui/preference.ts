import { useCallback, useSyncExternalStore } from 'react';
import { preferences } from './preferences.ts';

/**
 * A preference and its setter; undefined in the setter goes back to the default. `check` turns what was stored, maybe by
 * an older version, into a value or undefined; give it a stable identity.
 */
export function usePreference<T>(key: string, fallback: T, check: (stored: unknown) => T | undefined) {
  const text = useSyncExternalStore(preferences.subscribe, () => preferences.read(key));
  const set = useCallback(
    (next: T | undefined) => preferences.write(key, next === undefined ? null : JSON.stringify(next)),
    [key],
  );
  return [parse(text, check) ?? fallback, set] as const;
}

/** As it stands at this moment, which the last render may not have seen yet. */
export const preferenceNow = <T>(key: string, fallback: T, check: (stored: unknown) => T | undefined): T =>
  parse(preferences.read(key), check) ?? fallback;

/** How far the preferences of this window are with the server. */
export const usePreferenceState = () => useSyncExternalStore(preferences.subscribe, preferences.state);

const parsed = new Map<string, unknown>();
const PARSED_MOST = 500;

/** Parsed once for each text, so that an unchanged preference keeps its identity. */
function parse<T>(text: string | null, check: (stored: unknown) => T | undefined): T | undefined {
  if (text === null) return undefined;
  if (!parsed.has(text)) {
    const oldest = parsed.size >= PARSED_MOST ? parsed.keys().next().value : undefined;
    if (oldest !== undefined) parsed.delete(oldest);
    parsed.set(text, valueOf(text));
  }
  return check(parsed.get(text));
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
