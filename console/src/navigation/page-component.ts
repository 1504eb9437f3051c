import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { PageDef } from './page-def.ts';

const components = new Map<PageDef, LazyExoticComponent<ComponentType>>();

/**
 * Lazy component of a page. A failed load is final until the window is reloaded, because browsers do not retry a module
 * and a newer version has other file names.
 */
export function componentOf(page: PageDef): LazyExoticComponent<ComponentType> {
  const cached = components.get(page);
  if (cached) return cached;
  const loading = page.load().catch((error: unknown) => {
    throw new ChunkLoadError(error);
  });
  // Prevents an unhandled rejection before the component is rendered.
  loading.catch(() => undefined);
  const component = lazy(async () => ({ default: await loading }));
  components.set(page, component);
  return component;
}

export const preloadPage = (page: PageDef) => void componentOf(page);

/** The chunk of a page could not be loaded, usually because a newer version was deployed. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';

  constructor(cause: unknown) {
    super('页面加载失败', { cause });
  }
}
