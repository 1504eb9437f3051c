import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { MissingPart } from './MissingPart.tsx';

/**
 * A part that is loaded when it is first rendered, below a Suspense of its owner. If its script cannot be loaded,
 * `missing` takes its place and the rest of the page stays: an open dialog may be in the middle of a decision.
 */
export const lazyComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  missing: ComponentType<P> = MissingPart,
): LazyExoticComponent<ComponentType<P>> => lazy(async () => ({ default: await load().catch(() => missing) }));
