interface AddressOptions {
  /** Whether the operator must be asked before the current page is left for a path. */
  mustAsk: (pathname: string) => boolean;
  ask: (proceed: () => void) => void;
  /** Runs after every move, and replaces the path if it returns another one. */
  visit: (place: Pick<Location, 'pathname' | 'search'>) => string | undefined;
}

/** The position of the current entry in the history, as kept in its state; undefined if this module did not write it. */
function readIndex(): number | undefined {
  const state = window.history.state as { idx?: unknown } | null;
  return typeof state?.idx === 'number' ? state.idx : undefined;
}

/**
 * Follows the address of the window and returns a function that changes it. A step through the history that must be asked
 * about is taken back first, and repeated after the confirmation.
 */
export function followAddress({ mustAsk, ask, visit }: AddressOptions) {
  const { history, location } = window;
  let index = readIndex() ?? 0;
  let isReturning = false;
  let isConfirmed = false;

  const arrive = () => {
    const other = visit(location);
    if (other === undefined) return;
    history.replaceState({ idx: index }, '', other);
    visit(location);
  };

  window.addEventListener('popstate', () => {
    if (isReturning) {
      isReturning = false;
      return;
    }
    const steps = (readIndex() ?? index) - index;
    if (steps !== 0 && !isConfirmed && mustAsk(location.pathname)) {
      isReturning = true;
      history.go(-steps);
      ask(() => {
        isConfirmed = true;
        history.go(steps);
      });
      return;
    }
    isConfirmed = false;
    index += steps;
    arrive();
  });

  if (readIndex() === undefined) history.replaceState({ idx: index }, '');
  arrive();

  return (path: string, { replace }: { replace: boolean }) => {
    const proceed = () => {
      if (!replace) index += 1;
      history[replace ? 'replaceState' : 'pushState']({ idx: index }, '', path);
      arrive();
    };
    if (mustAsk(new URL(path, location.href).pathname)) ask(proceed);
    else proceed();
  };
}
