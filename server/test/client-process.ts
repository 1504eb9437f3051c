import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const clients = fileURLToPath(new URL('../../clients', import.meta.url));

/** The clients of the gateway. */
export const LANGUAGES = ['typescript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface BuiltClient {
  /** Arguments of the program that runs the driver, and its environment. */
  command: readonly [program: string, ...args: string[]];
  env: Record<string, string>;
  remove: () => Promise<void>;
}

/** Builds the TypeScript client as it is published, into a temporary folder. Python needs no build. */
export async function buildClient(language: Language): Promise<BuiltClient> {
  if (language === 'python') {
    const env = { PYTHONPATH: join(clients, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' };
    return { command: ['python3', join(clients, 'python/tests/driver.py')], env, remove: async () => undefined };
  }
  const directory = await mkdtemp(join(tmpdir(), 'hengtai-client-'));
  const require = createRequire(import.meta.url);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const project = join(clients, 'typescript/tsconfig.json');
  await promisify(execFile)(process.execPath, [tsc, '-p', project, '--outDir', join(directory, 'dist')]);
  await symlink(join(clients, 'typescript/package.json'), join(directory, 'package.json'));
  return {
    command: [process.execPath, join(clients, 'typescript/test/driver.mjs')],
    env: { CLIENT: join(directory, 'dist/index.js') },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

export interface Gateway {
  url: string;
  key: string;
  secret: string;
}

export interface Retry {
  path: string;
  tries: number;
  error: string;
}

/** The client refused or failed a call. */
export class ClientFailure extends Error {
  readonly isRefused: boolean;
  readonly status: number;
  readonly error: string;

  constructor({ isRefused, status, error, message }: Failure) {
    super(message);
    this.isRefused = isRefused;
    this.status = status;
    this.error = error;
  }
}

interface Failure {
  isRefused: boolean;
  status: number;
  error: string;
  message: string;
}

/** More retries than a test can need. */
const RETRIES_MAX = 100;

type Line = { retry: Retry } | { result: unknown } | { failure: Failure };

/** A process of a platform that uses a client. One call at a time. */
export class ClientProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #exited: Promise<void>;

  constructor({ command: [program, ...args], env }: BuiltClient, { url, key, secret }: Gateway, clockOffsetMs = 0) {
    this.#child = spawn(program, args, {
      env: {
        PATH: process.env['PATH'],
        PLATFORM_URL: url,
        PLATFORM_KEY: key,
        PLATFORM_SECRET: secret,
        CLOCK_OFFSET_MS: String(clockOffsetMs),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // A killed process breaks its pipe.
    this.#child.stdin?.on('error', () => undefined);
    this.#exited = new Promise((resolve) => this.#child.once('close', () => resolve()));
    if (!this.#child.stdout) throw new Error('The process has no output.');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * Makes a call of the client.
   *
   * @param onRetry runs before the client tries again; without it a retry is an error
   * @throws ClientFailure, or an error if the process ends
   */
  async call<T>(call: string, input: object, onRetry?: (retry: Retry) => Promise<void> | void): Promise<T> {
    this.#write({ call, ...input });
    for (let retries = 0; ; retries += 1) {
      const line = await this.#read();
      if ('result' in line) return line.result as T;
      if ('failure' in line) throw new ClientFailure(line.failure);
      if (!onRetry || retries === RETRIES_MAX) {
        await this.kill();
        throw new Error(`The client retries ${line.retry.path}: ${line.retry.error}`);
      }
      await onRetry(line.retry);
      this.#write({});
    }
  }

  kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#exited;
  }

  /** Ends the process by closing its input. */
  stop(): Promise<void> {
    this.#child.stdin?.end();
    return this.#exited;
  }

  #write(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  async #read(): Promise<Line> {
    const { done, value } = await this.#lines.next();
    if (done) throw new Error('The process of the client has ended.');
    return JSON.parse(value) as Line;
  }
}
