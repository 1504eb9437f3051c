import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A piece that comes later and that its page can do without: where its program cannot be loaded, `missing` stands
 * instead until the window is loaded again, since a browser does not ask twice for the same module.
 */
export const lazyComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  missing: ComponentType<P>,
): LazyExoticComponent<ComponentType<P>> => lazy(async () => ({ default: await load().catch(() => missing) }));
