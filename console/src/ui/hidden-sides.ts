import { type RefObject, useEffect, useState } from 'react';

/** Sides on which items of a strip are scrolled out of sight: `left`, `right`, both or none. */
export function useHiddenSides(strip: RefObject<HTMLElement | null>, items: readonly unknown[]): string {
  const [sides, setSides] = useState('');
  useEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const hidden = [scrollLeft > 1 && 'left', scrollLeft + clientWidth < scrollWidth - 1 && 'right'];
      setSides(hidden.filter(Boolean).join(' '));
    };
    const observer = new ResizeObserver(measure);
    for (const one of [element, ...element.children]) observer.observe(one);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [strip, items]);
  return sides;
}
