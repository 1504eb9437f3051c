import { spawnSync } from 'node:child_process';

/** True where `script` of util-linux can make a pseudo-terminal; other systems have another `script` or none. */
export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** What starts a line again and clears it. */
export const ERASE = '\r\u001B[2K';

/** What is left in sight of a terminal's output after the erased lines. */
export const visibleText = (output: string): string =>
  output.split(ERASE).reduce((kept, part) => kept.slice(0, kept.lastIndexOf('\n') + 1) + part);
