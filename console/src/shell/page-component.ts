import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { PageDef } from '../page-def.ts';

const components = new Map<PageDef, LazyExoticComponent<ComponentType>>();

/**
 * The lazy component of a page. One that could not be loaded stays so until the window is loaded again: a browser does
 * not ask twice for the same module, and a newer version has other names.
 */
export function componentOf(page: PageDef): LazyExoticComponent<ComponentType> {
  const known = components.get(page);
  if (known) return known;
  const loading = page.load().catch((error: unknown) => {
    throw new ChunkTrouble(error);
  });
  // Nobody may be waiting for it yet.
  loading.catch(() => undefined);
  const component = lazy(async () => ({ default: await loading }));
  components.set(page, component);
  return component;
}

export const preloadPage = (page: PageDef) => void componentOf(page);

/** The program of a page could not be loaded: mostly because a newer version took its place. */
export class ChunkTrouble extends Error {
  override readonly name = 'ChunkTrouble';

  constructor(cause: unknown) {
    super('页面加载失败', { cause });
  }
}
