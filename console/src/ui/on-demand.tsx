import { type ComponentType, Suspense, useEffect } from 'react';
import { lazyComponent } from './lazy-component.tsx';

/** A component that is loaded when it is first rendered. Until then it renders nothing. */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded: ComponentType<P> = lazyComponent(load);
  return (props) => (
    <Suspense fallback={<KeepEscape />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** While a dialog is being loaded, Escape is meant for it and must not close the drawer below. */
function KeepEscape() {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => event.key === 'Escape' && event.stopImmediatePropagation();
    window.addEventListener('keydown', keep, true);
    return () => window.removeEventListener('keydown', keep, true);
  }, []);
  return null;
}
