import { spawnSync } from 'node:child_process';

/**
 * True if the `script` command of util-linux can create a pseudo-terminal. Other systems lack it or have another one.
 */
export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Returns to the start of the line and clears it. */
export const ERASE = '\r\u001B[2K';

/** The text that stays visible on a terminal after the erased lines. */
export const visibleText = (output: string): string =>
  output.split(ERASE).reduce((visible, part) => visible.slice(0, visible.lastIndexOf('\n') + 1) + part);
