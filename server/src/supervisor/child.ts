import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT_CONFIGURATION } from '../host/configuration-error.ts';
import type { LogFile } from './log-files.ts';

export interface Child {
  /** How often the process has died; each time it was restarted. */
  deaths: () => number;
  /** Whether it ended the last time because something must be corrected first. */
  isMisconfigured: () => boolean;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Undefined: the child inherits stdout and stderr. */
  logFile?: LogFile | undefined;
  report: (message: string) => void;
  onMessage?: (message: unknown) => void;
}

const DRAIN_TIMEOUT_MS = 15_000;
const RESTART_DELAY_MS = 250;
const RESTART_DELAY_MS_MAX = 10_000;
/** After an exit that only a correction by an operator can prevent. */
const CORRECTION_DELAY_MS = 60_000;
/** A child that ran for this long resets the delay. */
const STABLE_AFTER_MS = 30_000;
const OUTPUT_TIMEOUT_MS = 500;

/** Keeps a Node process running: restarts it whenever it dies, with exponential backoff, until it is stopped. */
export function keepChild(name: string, args: string[], env: NodeJS.ProcessEnv, options: ChildOptions): Child {
  const life = { isStopping: false, deaths: 0, isMisconfigured: false };
  const wake = new AbortController();
  let child: ChildProcess;

  const run = async (): Promise<void> => {
    let delay = RESTART_DELAY_MS;
    while (!life.isStopping) {
      const startedAt = Date.now();
      child = start(args, env, options);
      const reason = await waitForExit(child);
      if (life.isStopping) return;
      life.isMisconfigured = child.exitCode === EXIT_CONFIGURATION;
      life.deaths += 1;
      if (Date.now() - startedAt > STABLE_AFTER_MS) delay = RESTART_DELAY_MS;
      const pause = life.isMisconfigured ? CORRECTION_DELAY_MS : delay;
      options.report(`The ${name} has ended (${reason}); restarting it in ${pause} ms.`);
      await sleep(pause, undefined, { signal: wake.signal }).catch(() => undefined);
      delay = Math.min(delay * 2, RESTART_DELAY_MS_MAX);
    }
  };
  const running = run();

  return {
    deaths: () => life.deaths,
    isMisconfigured: () => life.isMisconfigured,
    async stop() {
      life.isStopping = true;
      wake.abort();
      requestExit(child);
      const killTimer = setTimeout(() => child.kill('SIGKILL'), DRAIN_TIMEOUT_MS);
      await running;
      clearTimeout(killTimer);
    },
  };
}

/**
 * The child gets its own process group, so that Ctrl-C in a terminal reaches only the supervisor, which stops
 * everything in order. The child notices the end of the supervisor by the closed IPC channel (see parent.ts).
 */
function start(args: string[], env: NodeJS.ProcessEnv, { logFile, onMessage }: ChildOptions): ChildProcess {
  const output = logFile ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, args, {
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', output, output, 'ipc'],
    windowsHide: true,
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => logFile?.write(chunk));
  if (onMessage) child.on('message', onMessage);
  return child;
}

/** Waits for the exit of a child, and returns its signal, exit code or start error as text. */
async function waitForExit(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    await readOutput(child);
    return signal ?? `exit code ${String(code)}`;
  } catch (error) {
    return String(error);
  }
}

/** Waits for output that arrives after the exit. The timeout is for processes of the child that keep the pipes open. */
async function readOutput({ stdout, stderr }: ChildProcess): Promise<void> {
  const closed = [stdout, stderr].map(async (stream) => {
    if (stream && !stream.closed) await once(stream, 'close');
  });
  await Promise.race([Promise.all(closed), sleep(OUTPUT_TIMEOUT_MS, undefined, { ref: false })]);
}

function requestExit(child: ChildProcess): void {
  // Windows has no SIGTERM, so closing the IPC channel requests the exit.
  if (process.platform !== 'win32') child.kill('SIGTERM');
  else if (child.connected) child.disconnect();
}
