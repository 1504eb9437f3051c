import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { signedText } from '@hengtai/contract/gateway/gateway';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { type Db, openPool } from '../src/database/connect.ts';
import { type EmbeddedPostgres, startEmbedded } from '../src/embedded/embedded.ts';
import { ensureLogin, readOrMakeLogin } from '../src/database/login.ts';
import { openCluster } from '../src/host/postgres-files.ts';
import { findPostmaster } from '../src/embedded/postmaster.ts';
import { nodeArguments } from '../../testing/program.ts';
import { findFreePort } from '../../testing/free-port.ts';
import { ADMIN } from './admin.ts';
import { copyInstallation } from './installation.ts';

const PLATFORM = { key: 'crash-key', secret: 'crash-secret' };
/** Maximum wait for one answer in milliseconds, restarts included. A longer wait fails the test. */
const ANSWER_TIMEOUT_MS = 90_000;

/** Runs the real server with its own PostgreSQL, which has fsync on. Both can be killed. */
export class World {
  readonly auditDir: string;
  readonly db: Db;
  private readonly directory: string;
  private readonly port: number;
  private readonly simulated: boolean;
  private readonly postgres: EmbeddedPostgres;
  private readonly serverUrl: string;
  private readonly endPool: () => Promise<void>;
  private child: ChildProcess | undefined;
  private output = '';
  private token = '';

  private constructor(
    directory: string,
    postgres: EmbeddedPostgres,
    serverUrl: string,
    port: number,
    simulated: boolean,
  ) {
    this.serverUrl = serverUrl;
    this.simulated = simulated;
    this.directory = directory;
    this.auditDir = directory;
    this.postgres = postgres;
    this.port = port;
    const { db, end } = openPool({ url: postgres.url, max: 2, name: 'crash-owner', onError: () => undefined });
    this.db = db;
    this.endPool = end;
  }

  static async start(options: { simulated?: boolean } = {}): Promise<World> {
    const directory = mkdtempSync(join(tmpdir(), `hengtai-crash-${process.pid}-`));
    await copyInstallation(directory);
    const postgres = await startEmbedded({ dataDir: directory, log: () => undefined });
    const serverUrl = await ensureLogin(postgres.url, readOrMakeLogin(directory));
    const world = new World(directory, postgres, serverUrl, await findFreePort(), options.simulated ?? false);
    world.startServer();
    world.token = (await world.post('login', ADMIN)).token ?? '';
    return world;
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child && child.exitCode === null) {
      const exited = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await exited;
    }
    await this.endPool();
    await this.postgres.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Environment variables that a platform program needs. */
  get platform(): { PLATFORM_URL: string; PLATFORM_KEY: string; PLATFORM_SECRET: string } {
    const { key, secret } = PLATFORM;
    return { PLATFORM_URL: `http://127.0.0.1:${this.port}`, PLATFORM_KEY: key, PLATFORM_SECRET: secret };
  }

  private startServer(): void {
    const child = spawn(process.execPath, nodeArguments('server/src/programs/main.ts'), {
      env: {
        ...process.env,
        DATABASE_URL: this.serverUrl,
        DATABASE_APP_URL: '',
        PLATFORM_KEY: PLATFORM.key,
        PLATFORM_SECRET: PLATFORM.secret,
        HOST: '127.0.0.1',
        PORT: String(this.port),
        DATA_DIR: this.directory,
        AUDIT_DIR: this.auditDir,
        LOG_LEVEL: 'fatal',
        PLATFORM_IS_SIMULATOR: this.simulated ? 'on' : 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.output += String(chunk)));
    this.child = child;
  }

  /** Kills the server with SIGKILL and starts a new one. */
  async killServer(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) throw new Error(`The server has ended by itself.\n${this.output}`);
    const exited = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await exited;
    this.startServer();
  }

  /** Kills the postmaster and its children with SIGKILL. The guard process restarts PostgreSQL. */
  async killPostgres(): Promise<void> {
    const cluster = openCluster(this.directory);
    const postmaster = findPostmaster(cluster);
    if (postmaster === undefined) throw new Error('No postmaster is running.');
    const pids = [postmaster, ...childrenOf(postmaster)];
    for (const pid of pids) killIfAlive(pid);
    const deadline = Date.now() + ANSWER_TIMEOUT_MS;
    while ((findPostmaster(cluster) ?? postmaster) === postmaster) {
      if (Date.now() > deadline) throw new Error('PostgreSQL does not come back.');
      await sleep(50);
    }
  }

  /** Sends a call as the admin and retries until it is answered. */
  post<T = unknown>(path: string, body: object, key?: string): Promise<Envelope<T>> {
    return this.retryUntilAnswered<T>(`${API_BASE}${path}`, () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', token: this.token, ...(key ? { 'idempotency-key': key } : {}) },
      body: JSON.stringify(body),
    }));
  }

  get<T = unknown>(path: string): Promise<Envelope<T>> {
    return this.retryUntilAnswered<T>(`${API_BASE}${path}`, () => ({ headers: { token: this.token } }));
  }

  platformGet<T = unknown>(path: string): Promise<Envelope<T>> {
    return this.retryUntilAnswered<T>(`/platform/v1/${path}`, () => ({ headers: signatureHeaders('GET', path, '') }));
  }

  /** Sends events with stable ids and retries until they are answered. Events without a time happen now. */
  async events(...events: SentEvent[]): Promise<EventAnswer[]> {
    const response = await this.platformPost<EventAnswer[]>('events', withTime(events));
    if (response.code !== 200) throw new Error(`events: ${response.code} ${response.msg}`);
    return response.data;
  }

  /** Like `events`, but sends once and returns undefined without an answer. */
  async tryEvents(...events: SentEvent[]): Promise<EventAnswer[] | undefined> {
    const response = await fetch(
      `http://127.0.0.1:${this.port}/platform/v1/events`,
      postRequest('events', withTime(events)),
    )
      .then(async (answer) => (answer.ok ? ((await answer.json()) as Envelope<EventAnswer[]>) : undefined))
      .catch(() => undefined);
    return response?.data;
  }

  /** Sends a call as the platform and retries until it is answered. */
  platformPost<T = unknown>(path: string, body: object): Promise<Envelope<T>> {
    return this.retryUntilAnswered<T>(`/platform/v1/${path}`, () => postRequest(path, body));
  }

  /** Retries after a lost connection, a 5xx status or a timeout, with the same key and event ids. */
  private async retryUntilAnswered<T>(path: string, request: () => RequestInit): Promise<Envelope<T>> {
    const deadline = Date.now() + ANSWER_TIMEOUT_MS;
    for (;;) {
      try {
        const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
          ...request(),
          signal: AbortSignal.timeout(15_000),
        });
        if (response.status < 500) return (await response.json()) as Envelope<T>;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
      if (Date.now() > deadline) throw new Error(`No answer to ${path}.\n${this.output.slice(-2_000)}`);
      await sleep(60);
    }
  }
}

export interface SentEvent {
  eventId: string;
  type: string;
  data: object;
  /** Unix milliseconds. */
  at?: number;
}

const withTime = (events: readonly SentEvent[]): SentEvent[] => {
  const at = Date.now();
  return events.map((event) => ({ at, ...event }));
};

function postRequest(path: string, input: object): RequestInit {
  const body = JSON.stringify(input);
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders('POST', path, body) },
    body,
  };
}

function signatureHeaders(method: string, path: string, body: string): Record<string, string> {
  const time = String(Date.now());
  const text = signedText(time, method, `/platform/v1/${path}`, body);
  const signature = createHmac('sha256', PLATFORM.secret).update(text).digest('hex');
  return { 'x-key': PLATFORM.key, 'x-time': time, 'x-signature': signature };
}

function childrenOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid ?? 0);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended in the meantime, together with its postmaster.
  }
}
