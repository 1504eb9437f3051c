import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export interface Child {
  /** Whether it has died since it was started; it is being started again then. */
  deaths: () => number;
  stop(): Promise<void>;
}

const DRAIN_WITHIN = 15_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
const STEADY_AFTER = 30_000;

/** Keeps one Node process running, given its arguments: starts it again whenever it dies, more slowly each time, until it is stopped. */
export function keepChild(name: string, args: string[], env: NodeJS.ProcessEnv): Child {
  const life = { stopping: false, deaths: 0 };
  const wake = new AbortController();
  let child: ChildProcess;

  const live = async (): Promise<void> => {
    let pause = FIRST_PAUSE;
    while (!life.stopping) {
      const started = Date.now();
      child = start(args, env);
      const reason = await ended(child);
      if (life.stopping) return;
      life.deaths += 1;
      if (Date.now() - started > STEADY_AFTER) pause = FIRST_PAUSE;
      console.error(`The ${name} has ended (${reason}); starting it again in ${pause} ms.`);
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
function start(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    windowsHide: true,
  });
}

/** What to call Node with: a program's source runs through tsx, its bundle as it is. */
export function nodeArguments(entry: string, rest: string[] = []): string[] {
  const loader = entry.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : ['--enable-source-maps'];
  return [...loader, entry, ...rest];
}

async function ended(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return signal ?? `exit code ${String(code)}`;
  } catch (error) {
    return String(error);
  }
}

function askToEnd(child: ChildProcess): void {
  // Windows knows no SIGTERM: there the closed channel is the message.
  if (process.platform !== 'win32') child.kill('SIGTERM');
  else if (child.connected) child.disconnect();
}
