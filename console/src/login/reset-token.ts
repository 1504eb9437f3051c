/** The token of a one-time link, `#reset=…`; undefined where the address carries none. It never leaves the browser by itself. */
export const resetToken = (hash: string): string | undefined => /^#reset=([\w-]{43})$/.exec(hash)?.[1];
