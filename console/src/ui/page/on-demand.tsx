import { type ComponentType, Suspense } from 'react';
import { useEscape } from '../browser/keys.ts';
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

/** A dialog that is loaded when it is first opened. Until it has loaded, Escape closes it and nothing below it. */
export function dialogOnDemand<P extends { onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const Loaded: ComponentType<P> = lazyComponent(load);
  return (props) => (
    <Suspense fallback={<LoadingDialog onClose={props.onClose} />}>
      <Loaded {...props} />
    </Suspense>
  );
}

function LoadingDialog({ onClose }: { onClose: () => void }) {
  // The menu that asked for the dialog may still be fading.
  useEscape(onClose, '.ant-dropdown');
  return null;
}
