import { PreferenceStore } from './preference-store.ts';

/** The preference store of the window; `startPreferences` opens it for an operator. */
export const preferences = new PreferenceStore(localStorageIfAllowed());

function localStorageIfAllowed(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
