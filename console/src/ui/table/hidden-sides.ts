import './hidden-sides.css';
import { type RefObject, type WheelEvent, useEffect, useState } from 'react';

/** Sides on which items of a strip are scrolled out of sight: `left`, `right`, both or none. */
export function useHiddenSides(strip: RefObject<HTMLElement | null>): string {
  const [sides, setSides] = useState('');
  useEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const hidden = [scrollLeft > 1 && 'left', scrollLeft + clientWidth < scrollWidth - 1 && 'right'];
      setSides(hidden.filter(Boolean).join(' '));
    };
    const sizes = new ResizeObserver(measure);
    const observeSizes = () => {
      for (const one of [element, ...element.children]) sizes.observe(one);
    };
    observeSizes();
    const items = new MutationObserver(() => {
      observeSizes();
      measure();
    });
    items.observe(element, { childList: true });
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      items.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [strip]);
  return sides;
}

/** Scrolls a strip by a wheel that only turns up and down. */
export function scrollSideways(event: WheelEvent<HTMLElement>): void {
  if (event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY;
}
