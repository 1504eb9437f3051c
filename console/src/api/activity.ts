/** After this time without input the operator is idle: background requests must not extend the session then. */
const IDLE_AFTER_MS = 60_000;

let lastInputAt = Date.now();

const recordInput = () => {
  lastInputAt = Date.now();
};

if (typeof window !== 'undefined') {
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
    window.addEventListener(kind, recordInput, { capture: true, passive: true });
  }
}

export const isIdleFor = (ms: number): boolean => Date.now() - lastInputAt > ms;
export const isIdle = (): boolean => isIdleFor(IDLE_AFTER_MS);
