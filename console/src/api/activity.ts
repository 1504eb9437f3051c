/** Without a touch for this long nobody is at the console: what it then asks by itself is no use of the session. */
const IDLE_AFTER_MS = 60_000;

let touchedAt = Date.now();

const touch = () => {
  touchedAt = Date.now();
};

if (typeof window !== 'undefined') {
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
    window.addEventListener(kind, touch, { capture: true, passive: true });
  }
}

export const isIdle = (): boolean => Date.now() - touchedAt > IDLE_AFTER_MS;
