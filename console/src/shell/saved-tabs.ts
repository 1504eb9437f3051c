import { RESUME_KEY } from '../login/handover.ts';
import type { SavedTab } from './tabs.ts';

const keyOf = (admin: string) => `hengtai.tabs.${admin}`;

const isSaved = (value: unknown): value is SavedTab => {
  if (typeof value !== 'object' || value === null) return false;
  const it = value as Partial<Record<keyof SavedTab, unknown>>;
  return typeof it.key === 'string' && typeof it.search === 'string' && typeof it.pinned === 'boolean';
};

function parse(text: string | null): SavedTab[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return Array.isArray(value) ? value.filter(isSaved) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The tabs belong to the window and survive its reload; a window that comes from the login begins with those the same
 * operator had last. Any other new window has only the page it was opened for.
 */
export function readTabs(admin: string): SavedTab[] {
  const own = parse(sessionStorage.getItem(keyOf(admin)));
  const resume = sessionStorage.getItem(RESUME_KEY) !== null;
  sessionStorage.removeItem(RESUME_KEY);
  return own ?? (resume ? parse(localStorage.getItem(keyOf(admin))) : undefined) ?? [];
}

export function saveTabs(admin: string, tabs: readonly SavedTab[]) {
  const text = JSON.stringify(tabs.map(({ key, search, pinned }) => ({ key, search, pinned })));
  try {
    sessionStorage.setItem(keyOf(admin), text);
    localStorage.setItem(keyOf(admin), text);
  } catch {
    // A full store: the tabs live until the window is closed.
  }
}
