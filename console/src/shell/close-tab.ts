type Close = (keys: readonly string[]) => void;

let close: Close = () => undefined;

/** The bar of tabs says how one is closed; what only wants to be closed needs to know no more, nor load it. */
export function setCloseTab(next: Close) {
  close = next;
}

/** Closes the tab of a page by its key; what is unsaved there is asked about first. */
export const closeTab = (key: string) => close([key]);
