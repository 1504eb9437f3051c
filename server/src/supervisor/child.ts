import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { LogFile } from './log-files.ts';

export interface Child {
  /** How often it has died since it was started; it is started again each time. */
  deaths: () => number;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Undefined: the child inherits stdout and stderr. */
  logFile?: LogFile | undefined;
  report: (message: string) => void;
  onMessage?: (message: unknown) => void;
}

const DRAIN_WITHIN = 15_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
const STEADY_AFTER = 30_000;
const OUTPUT_WITHIN = 500;

/** Keeps one Node process running: starts it again whenever it dies, with longer pauses each time, until it is stopped. */
export function keepChild(name: string, args: string[], env: NodeJS.ProcessEnv, options: ChildOptions): Child {
  const life = { stopping: false, deaths: 0 };
  const wake = new AbortController();
  let child: ChildProcess;

  const live = async (): Promise<void> => {
    let pause = FIRST_PAUSE;
    while (!life.stopping) {
      const started = Date.now();
      child = start(args, env, options);
      const reason = await ended(child);
      if (life.stopping) return;
      life.deaths += 1;
      if (Date.now() - started > STEADY_AFTER) pause = FIRST_PAUSE;
      options.report(`The ${name} has ended (${reason}); restarting it in ${pause} ms.`);
      await sleep(pause, undefined, { signal: wake.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  };
  const living = live();

  return {
    deaths: () => life.deaths,
    async stop() {
      life.stopping = true;
      wake.abort();
      askToEnd(child);
      const late = setTimeout(() => child.kill('SIGKILL'), DRAIN_WITHIN);
      await living;
      clearTimeout(late);
    },
  };
}

/**
 * In a process group of its own, so that Ctrl-C in a terminal reaches the supervisor only, which then ends everything in
 * the right order. The IPC channel tells the child when the supervisor is gone (see parent.ts).
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

/** The arguments of Node for a program: source runs through tsx, a bundle as it is. */
export function nodeArguments(entry: string, rest: string[] = []): string[] {
  const loader = entry.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : ['--enable-source-maps'];
  return [...loader, entry, ...rest];
}

async function ended(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    await readOutput(child);
    return signal ?? `exit code ${String(code)}`;
  } catch (error) {
    return String(error);
  }
}

/** The last output may arrive after the exit; a process that the child started may keep the pipes open. */
async function readOutput({ stdout, stderr }: ChildProcess): Promise<void> {
  const closed = [stdout, stderr].map(async (stream) => {
    if (stream && !stream.closed) await once(stream, 'close');
  });
  await Promise.race([Promise.all(closed), sleep(OUTPUT_WITHIN, undefined, { ref: false })]);
}

function askToEnd(child: ChildProcess): void {
  // Windows has no SIGTERM: there the closed channel is the message.
  if (process.platform !== 'win32') child.kill('SIGTERM');
  else if (child.connected) child.disconnect();
}
