import { type ComponentType, Suspense } from 'react';
import { lazyComponent } from './lazy-component.tsx';

/** A component that is loaded when it is first rendered. Until then it renders nothing. */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded: ComponentType<P> = lazyComponent(load);
  return (props) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
