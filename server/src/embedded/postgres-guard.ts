import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../host/configuration-error.ts';
import { findBinaries, openCluster, readOrMakePassword } from '../host/postgres-files.ts';
import * as postmaster from './postmaster.ts';

/**
 * The guard process keeps one PostgreSQL running while any client is connected to the guard's socket. The kernel closes
 * the connection of a client that dies, so PostgreSQL never outlives its users. embedded.ts starts the guard, with the
 * data directory as argument.
 */
export type GuardMessage =
  | { state: 'ready'; host: string; port: number }
  | { state: 'failed'; message: string; isConfiguration: boolean };

const FIRST_CLIENT_TIMEOUT_MS = 15_000;

const [directory = '', mode] = process.argv.slice(2);
const clients = new Set<Socket>();
let latest: GuardMessage | undefined;
const state: { isEnding: boolean; pid: number | undefined } = { isEnding: false, pid: undefined };

function broadcast(message: GuardMessage): void {
  latest = message;
  for (const client of clients) client.write(`${JSON.stringify(message)}\n`);
}

async function main(): Promise<void> {
  const cluster = openCluster(directory);
  if (await isListening(cluster.guardSocket)) return;
  const server = await listen(cluster.guardSocket);
  const isThrowaway = mode === 'throwaway';
  let options: postmaster.StartOptions | undefined;
  const end = async (): Promise<void> => {
    if (state.isEnding) return;
    state.isEnding = true;
    // A new client now finds no guard and starts the next one, which waits until this PostgreSQL has stopped.
    server.close();
    if (options && state.pid !== undefined) await postmaster.stopPostmaster(options, state.pid);
    if (isThrowaway) {
      for (const path of [cluster.dataDir, cluster.base]) rmSync(path, { recursive: true, force: true });
    }
    process.exit(latest?.state === 'failed' ? 1 : 0);
  };
  acceptClients(server, end);
  // Ctrl-C or a closed terminal must not stop PostgreSQL before its clients disconnect.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => void end());
  setInterval(() => postmaster.trimLog(cluster), 600_000).unref();
  try {
    options = { cluster, binaries: findBinaries(cluster.runAs), password: readOrMakePassword(cluster), isThrowaway };
    await postmaster.createCluster(options);
    await postmaster.chownData(options);
    await keepRunning(options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    broadcast({ state: 'failed', message, isConfiguration: error instanceof ConfigurationError });
    setTimeout(() => void end(), 1000);
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

function listen(path: string): Promise<Server> {
  // Half-open, so that a client that ended its side can wait until PostgreSQL has stopped.
  const server = createServer({ allowHalfOpen: true });
  if (process.platform !== 'win32') rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

function acceptClients(server: Server, end: () => Promise<void>): void {
  const firstClientTimer = setTimeout(() => void end(), FIRST_CLIENT_TIMEOUT_MS);
  server.on('connection', (client) => {
    clearTimeout(firstClientTimer);
    clients.add(client);
    client.on('error', () => undefined);
    client.resume();
    if (latest) client.write(`${JSON.stringify(latest)}\n`);
    const leave = (): void => {
      if (!clients.delete(client)) return;
      if (clients.size === 0) void end();
      else client.destroy();
    };
    client.once('end', leave);
    client.once('close', leave);
  });
}

/** Watches a PostgreSQL that lost its guard, or starts one, and restarts it whenever it dies. */
async function keepRunning(options: postmaster.StartOptions): Promise<void> {
  for (let failures = 0; !state.isEnding;) {
    const running = postmaster.findPostmaster(options.cluster);
    const started = Date.now();
    try {
      await (running === undefined ? runOwn(options) : watchOther(options, running));
    } catch (error) {
      failures += 1;
      // A first start fails after three attempts; a restart may collide with leftovers of the dead server, so it may retry
      // more often.
      if (latest === undefined && running === undefined && failures > 2) throw error;
      if (failures > 20) throw error;
    }
    state.pid = undefined;
    if (Date.now() - started > 60_000) failures = 0;
    if (!state.isEnding) await sleep(Math.min(100 * 2 ** failures, 5000));
  }
}

async function runOwn(options: postmaster.StartOptions): Promise<void> {
  const child = await postmaster.startPostmaster(options);
  state.pid = child.pid;
  let hasExited = false;
  const exit = postmaster.waitForExit(child).finally(() => (hasExited = true));
  const address = await Promise.race([
    postmaster.waitReady(options, () => !hasExited),
    exit.then(() => postmaster.waitReady(options, () => false)),
  ]);
  broadcast({ state: 'ready', ...address });
  await exit;
}

async function watchOther(options: postmaster.StartOptions, running: number): Promise<void> {
  state.pid = running;
  const isAlive = (): boolean => postmaster.findPostmaster(options.cluster) === running;
  const address = await postmaster.waitReady(options, isAlive);
  broadcast({ state: 'ready', ...address });
  while (isAlive()) await sleep(250);
}

await main();
