/** Token of a one-time password link, `#reset=…`. In the hash it is never sent to a server by the browser. */
export const resetToken = (hash: string): string | undefined => /^#reset=([\w-]{43})$/.exec(hash)?.[1];
