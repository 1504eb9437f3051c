import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Account {
  uid: number;
  gid: number;
}

/** The account that PostgreSQL runs as; it refuses to run as root. */
export function postgresAccount(): Account {
  const read = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

export interface Program {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  account?: Account;
  /** File that receives the output. */
  log: string;
}

/** A program that the drill started and may end. */
export class Running {
  readonly #child: ChildProcess;
  readonly #program: Program;

  constructor(program: Program) {
    const output = openSync(program.log, 'a');
    this.#program = program;
    this.#child = spawn(program.command, program.args, {
      cwd: '/',
      env: { PATH: process.env['PATH'], TZ: 'UTC', LANG: 'C.UTF-8', ...program.env },
      stdio: ['ignore', output, output],
      ...program.account,
    });
    this.#child.on('error', () => undefined);
    closeSync(output);
  }

  get hasEnded(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }

  /** Waits until `isReady` is true. @throws Error with the end of the log if it does not become true in time */
  async wait(isReady: () => Promise<boolean>, seconds = 60): Promise<void> {
    const { command, log } = this.#program;
    const isDone = async (): Promise<boolean> => {
      if (this.hasEnded) throw new Error(`${command} ended.\n${readFileSync(log, 'utf8').slice(-2_000)}`);
      return isReady();
    };
    await waitUntil(isDone, `${command} is ready (log: ${log})`, seconds);
  }
}

/** Polls ten times a second. @throws Error that names the condition if it is false for too long */
export async function waitUntil(isTrue: () => Promise<boolean>, what: string, seconds: number): Promise<void> {
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; await sleep(100)) if (await isTrue()) return;
  throw new Error(`After ${seconds} s it is still not true that ${what}.`);
}

/** Runs a program to its end. @throws Error with its output unless its exit code is 0 */
export function runProgram(
  command: string,
  args: readonly string[],
  options: Omit<Program, 'command' | 'args' | 'log'> = {},
): string {
  return execFileSync(command, args, {
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TZ: 'UTC', LANG: 'C.UTF-8', ...options.env },
    maxBuffer: 2 ** 26,
    // An error contains what the program printed.
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.account,
  });
}
