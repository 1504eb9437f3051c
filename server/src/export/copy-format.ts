/** Terminators of a field and of a row in COPY's text format. Inside a field COPY escapes them. */
export const TAB = 9;
export const LINE_END = 10;

export const isEnd = (byte: number | undefined): boolean => byte === TAB || byte === LINE_END;

/** End offset of the field that begins at `from`. The row must be complete in `bytes`. */
export function endOf(bytes: Uint8Array, from: number): number {
  let at = from;
  while (!isEnd(bytes[at])) at += 1;
  return at;
}
