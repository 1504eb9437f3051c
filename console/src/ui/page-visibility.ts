import { useLayoutEffect, useState } from 'react';

/**
 * Whether the piece is in sight. A hidden tab keeps its state and loses its effects, so the end of this effect is the
 * hiding of the tab; what floats above the page must not be left behind there.
 */
export function usePageVisible(): boolean {
  const [shown, setShown] = useState(true);
  useLayoutEffect(() => {
    // Shown again after having been hidden: there is no other moment to say so.
    // oxlint-disable-next-line react/set-state-in-effect
    setShown(true);
    return () => setShown(false);
  }, []);
  return shown;
}

/** The state of a popup that closes when its tab is hidden. */
export function usePopup() {
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => () => setOpen(false), []);
  return [open, setOpen] as const;
}
