type Close = (keys: readonly string[]) => void;

let close: Close = () => undefined;

/** Registered by the tab bar. Keeps callers of `closeTab` from importing it. */
export function setCloseTab(next: Close) {
  close = next;
}

/** Closes a tab by key; asks first if it has unsaved changes. */
export const closeTab = (key: string) => close([key]);
