import { PreferenceStore } from './preference-store.ts';

/** The one store of the window. Who is at work, and what keeps it elsewhere, is said at the start. */
export const preferences = new PreferenceStore(shelf());

function shelf(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
