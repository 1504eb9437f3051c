import { spawn } from 'node:child_process';

/** A program of a checkout that runs in a process of its own. */
export interface Program {
  output(): string;
  hasEnded(): boolean;
  exited: Promise<number | null>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a script of a checkout with an environment of its own. */
export function startProgram(folder: string, args: readonly string[], env: Record<string, string>): Program {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TZ: 'UTC', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    exited,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
