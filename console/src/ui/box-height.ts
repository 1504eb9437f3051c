import { type RefObject, useLayoutEffect, useState } from 'react';

const GUESS = 480;

/** Height of an element, followed as it changes; a hidden one keeps its last. */
export function useBoxHeight(box: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(GUESS);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      if (element.clientHeight > 0) setHeight(element.clientHeight);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return height;
}
