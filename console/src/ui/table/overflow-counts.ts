import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Counts the elements of each selector that begin below the first line of a wrapping box, and so are cut off.
 *
 * @param selectors must keep their identity
 * @param lineHeight height of the first line in pixels, the height of the closed box
 */
export function useOverflowCounts(
  box: RefObject<HTMLElement | null>,
  selectors: readonly string[],
  lineHeight: number,
): readonly number[] {
  const [counts, setCounts] = useState<readonly number[]>(() => selectors.map(() => 0));
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      const end = element.offsetTop + lineHeight;
      const next = selectors.map(
        (selector) =>
          [...element.querySelectorAll<HTMLElement>(selector)].filter(({ offsetTop }) => offsetTop >= end).length,
      );
      setCounts((old) => (old.join() === next.join() ? old : next));
    };
    measure();
    const resizes = new ResizeObserver(measure);
    resizes.observe(element);
    // The height is fixed, so new content does not resize the box.
    const changes = new MutationObserver(measure);
    changes.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      resizes.disconnect();
      changes.disconnect();
    };
  }, [box, selectors, lineHeight]);
  return counts;
}
