/** What ends a field, and the last one of a row; inside of a field COPY never writes them. */
export const TAB = 9;
export const LINE_END = 10;

export const isEnd = (byte: number | undefined): boolean => byte === TAB || byte === LINE_END;

/** Where the field ends that begins here; it stands in a row that is there whole. */
export function endOf(bytes: Uint8Array, from: number): number {
  let at = from;
  while (!isEnd(bytes[at])) at += 1;
  return at;
}
