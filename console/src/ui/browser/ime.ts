/** The key code of a key that an input method handles. */
const HANDLED_BY_IME = 229;

/** Whether a key belongs to an IME composition. Safari reports the key that ends one only by its key code. */
export function isComposing(event: KeyboardEvent | { nativeEvent: KeyboardEvent }): boolean {
  const key = 'nativeEvent' in event ? event.nativeEvent : event;
  return key.isComposing || key.keyCode === HANDLED_BY_IME;
}
