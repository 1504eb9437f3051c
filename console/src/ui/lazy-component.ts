import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A lazy component that its page can do without: if its chunk cannot be loaded, `missing` is rendered until the window
 * is reloaded, because browsers do not retry a failed module.
 */
export const lazyComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  missing: ComponentType<P>,
): LazyExoticComponent<ComponentType<P>> => lazy(async () => ({ default: await load().catch(() => missing) }));
