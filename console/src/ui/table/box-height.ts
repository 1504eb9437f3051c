import { type RefObject, useLayoutEffect, useState } from 'react';

const INITIAL_HEIGHT = 480;

/** Height of an element in pixels, updated on resize; a hidden element keeps its last height. */
export function useBoxHeight(box: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(INITIAL_HEIGHT);
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
