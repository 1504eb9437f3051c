import { useLayoutEffect, useState } from 'react';

/**
 * Whether the tab of the component is visible. A hidden tab keeps its state but its effects are cleaned up; popups must
 * not stay open there.
 */
export function usePageVisible(): boolean {
  const [isVisible, setIsVisible] = useState(true);
  useLayoutEffect(() => {
    // Effects run again when the tab is shown, and no other event signals that.
    // oxlint-disable-next-line react/set-state-in-effect
    setIsVisible(true);
    return () => setIsVisible(false);
  }, []);
  return isVisible;
}

/** Open state of a popup; closes when its tab is hidden. */
export function usePopup() {
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => () => setOpen(false), []);
  return [open, setOpen] as const;
}
