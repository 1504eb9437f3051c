import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../host/configuration-error.ts';
import { nodeArguments } from '../host/node-arguments.ts';
import { openCluster, readOrMakePassword, type Cluster } from '../host/postgres-files.ts';
import type { GuardMessage } from './postgres-guard.ts';
import { DATABASE, logTail, USER } from './postmaster.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: (message: string) => void;
  /** For tests: no fsync, and the data directory is removed when the last user disconnects. */
  isThrowaway?: boolean;
}

export interface EmbeddedPostgres {
  /** Readable by `pg` and `new URL()`. The socket's directory is in the query, because it cannot be a host name. */
  url: string;
  /** Disconnects. The last user that disconnects also waits until PostgreSQL has stopped. */
  stop(): Promise<void>;
}

const ATTEMPTS = 5;

/**
 * Starts the PostgreSQL of a data directory, or uses the one that is running. It runs at least as long as this process.
 *
 * @throws Error with the end of PostgreSQL's log if it does not start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = openCluster(options.dataDir);
  const password = readOrMakePassword(cluster);
  const state = { isStopping: false };
  let guard = await reachGuard(cluster, options.isThrowaway ?? false);
  const url = urlOf(guard.address, password);

  const keepConnected = async (): Promise<void> => {
    for (;;) {
      await guard.closed;
      if (state.isStopping) return;
      options.log('The guard process of PostgreSQL ended: restarting it.');
      try {
        guard = await reachGuard(cluster, options.isThrowaway ?? false);
      } catch (error) {
        options.log(`PostgreSQL is not available: ${String(error)}`);
        await sleep(2000);
      }
      if (state.isStopping) guard.socket.end();
    }
  };
  const connected = keepConnected();

  return {
    url,
    async stop() {
      state.isStopping = true;
      guard.socket.end();
      await connected;
    },
  };
}

function urlOf({ host, port }: { host: string; port: number }, password: string): string {
  return host.startsWith('/')
    ? `postgres://${USER}:${password}@localhost/${DATABASE}?host=${encodeURIComponent(host)}`
    : `postgres://${USER}:${password}@${host}:${port}/${DATABASE}`;
}

interface Guard {
  socket: Socket;
  closed: Promise<void>;
  address: { host: string; port: number };
}

/** Connects to the guard, or starts one, and waits until it reports that PostgreSQL is ready. */
async function reachGuard(cluster: Cluster, isThrowaway: boolean): Promise<Guard> {
  for (let attempt = 1; ; attempt += 1) {
    const socket = (await connectTo(cluster)) ?? (await startGuard(cluster, isThrowaway));
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
    });
    const message = await readFirstMessage(socket, closed);
    if (message?.state === 'ready') return { socket, closed, address: message };
    socket.destroy();
    if (message) throw message.isConfiguration ? new ConfigurationError(message.message) : new Error(message.message);
    // The guard was stopping or was killed; the next attempt starts a new one.
    if (attempt >= ATTEMPTS) throw new Error(`The guard process of PostgreSQL ends repeatedly:\n${logTail(cluster)}`);
    await sleep(100 * attempt);
  }
}

function connectTo(cluster: Cluster): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(cluster.guardSocket);
    const fail = (): void => resolve(undefined);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

async function startGuard(cluster: Cluster, isThrowaway: boolean): Promise<Socket> {
  const name = import.meta.url.endsWith('.ts') ? './postgres-guard.ts' : './postgres-guard.js';
  const entry = fileURLToPath(new URL(name, import.meta.url));
  const log = openSync(cluster.log, 'a', 0o600);
  // Detached, so that Ctrl-C in the terminal does not stop PostgreSQL before the servers have finished.
  const args = nodeArguments(entry, [cluster.dataDir, ...(isThrowaway ? ['throwaway'] : [])]);
  const guard = spawn(process.execPath, args, {
    detached: true,
    cwd: '/',
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  closeSync(log);
  let ended = false;
  guard.once('exit', () => (ended = true));
  guard.once('error', () => (ended = true));
  guard.unref();
  for (;;) {
    const socket = await connectTo(cluster);
    if (socket) return socket;
    // A guard also exits if another one is listening, so the connection is tried once more below.
    if (ended) break;
    await sleep(20);
  }
  const other = await connectTo(cluster);
  if (other) return other;
  throw new Error(`The guard process of PostgreSQL did not start:\n${logTail(cluster)}`);
}

function readFirstMessage(socket: Socket, closed: Promise<void>): Promise<GuardMessage | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const end = text.indexOf('\n');
      if (end < 0) return;
      socket.off('data', read);
      socket.resume();
      resolve(JSON.parse(text.slice(0, end)) as GuardMessage);
    };
    socket.on('data', read);
    void closed.then(() => resolve(undefined));
  });
}
