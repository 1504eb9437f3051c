import { RESUME_KEY } from '../api/handover.ts';
import type { SavedTab } from '../navigation/tabs.ts';

const storageKey = (admin: string) => `hengtai.tabs.${admin}`;

const isSavedTab = (value: unknown): value is SavedTab => {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Partial<Record<keyof SavedTab, unknown>>;
  return (
    typeof fields.key === 'string' &&
    typeof fields.search === 'string' &&
    typeof fields.pinned === 'boolean' &&
    (fields.name === undefined || typeof fields.name === 'string')
  );
};

function parse(text: string | null): SavedTab[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return Array.isArray(value) ? value.filter(isSavedTab) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Loads the saved tabs. Tabs belong to the window and survive a reload; a window that comes from the login gets the
 * last tabs of the same operator. Any other new window starts with its own page only.
 */
export function readTabs(admin: string): SavedTab[] {
  const windowTabs = parse(sessionStorage.getItem(storageKey(admin)));
  const isAfterLogin = sessionStorage.getItem(RESUME_KEY) !== null;
  sessionStorage.removeItem(RESUME_KEY);
  return windowTabs ?? (isAfterLogin ? parse(localStorage.getItem(storageKey(admin))) : undefined) ?? [];
}

export function saveTabs(admin: string, tabs: readonly SavedTab[]) {
  const text = JSON.stringify(tabs.map(({ key, search, pinned, name }) => ({ key, search, pinned, name })));
  try {
    sessionStorage.setItem(storageKey(admin), text);
    localStorage.setItem(storageKey(admin), text);
  } catch {
    // Storage is full: the tabs are lost when the window closes.
  }
}
