import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries, openCluster, readOrMakePassword } from './postgres-files.ts';
import * as postmaster from './postmaster.ts';

/**
 * The guard: a process of its own that keeps one PostgreSQL running for as long as anybody is connected to the guard's
 * socket. The kernel closes that connection however its owner dies, so PostgreSQL never outlives those who need it.
 * It is started by embedded.ts, with the data directory as its argument.
 */
export type GuardMessage = { state: 'ready'; host: string; port: number } | { state: 'failed'; message: string };

const FIRST_CLIENT_WITHIN = 15_000;

const [directory = '', mode] = process.argv.slice(2);
const clients = new Set<Socket>();
let latest: GuardMessage | undefined;
const life: { ending: boolean; pid: number | undefined } = { ending: false, pid: undefined };

function tell(message: GuardMessage): void {
  latest = message;
  for (const client of clients) client.write(`${JSON.stringify(message)}\n`);
}

async function main(): Promise<void> {
  const cluster = openCluster(directory);
  if (await somebodyListens(cluster.guardSocket)) return;
  const server = await listen(cluster.guardSocket);
  const throwaway = mode === 'throwaway';
  let options: postmaster.StartOptions | undefined;
  const end = async (): Promise<void> => {
    if (life.ending) return;
    life.ending = true;
    // A process that comes now finds no guard and starts the next one, which waits for this PostgreSQL to be gone.
    server.close();
    if (options && life.pid !== undefined) await postmaster.stopPostmaster(options, life.pid);
    if (throwaway) {
      for (const path of [cluster.dataDir, cluster.base]) rmSync(path, { recursive: true, force: true });
    }
    process.exit(latest?.state === 'failed' ? 1 : 0);
  };
  acceptClients(server, end);
  // A terminal's Ctrl-C or a closed terminal is no reason to end before the clients do.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => void end());
  setInterval(() => postmaster.trimLog(cluster), 600_000).unref();
  try {
    options = { cluster, binaries: findBinaries(cluster.runAs), password: readOrMakePassword(cluster), throwaway };
    await postmaster.makeCluster(options);
    await postmaster.takeOverData(options);
    await keepRunning(options);
  } catch (error) {
    tell({ state: 'failed', message: error instanceof Error ? error.message : String(error) });
    setTimeout(() => void end(), 1000);
  }
}

function somebodyListens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

function listen(path: string): Promise<Server> {
  // Half-open, so that a client that says goodbye can wait until PostgreSQL is down.
  const server = createServer({ allowHalfOpen: true });
  if (process.platform !== 'win32') rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

function acceptClients(server: Server, end: () => Promise<void>): void {
  const unused = setTimeout(() => void end(), FIRST_CLIENT_WITHIN);
  server.on('connection', (client) => {
    clearTimeout(unused);
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

/** Adopts a PostgreSQL that lost its guard, or starts one; and again, whenever it has died. */
async function keepRunning(options: postmaster.StartOptions): Promise<void> {
  for (let failures = 0; !life.ending;) {
    const running = postmaster.livePostmaster(options.cluster);
    const started = Date.now();
    try {
      await (running === undefined ? runOwn(options) : watchOther(options, running));
    } catch (error) {
      failures += 1;
      // The first start reports at once; a restart may collide with what the dead server left, and tries again.
      if (latest === undefined && running === undefined && failures > 2) throw error;
      if (failures > 20) throw error;
    }
    life.pid = undefined;
    if (Date.now() - started > 60_000) failures = 0;
    if (!life.ending) await sleep(Math.min(100 * 2 ** failures, 5000));
  }
}

async function runOwn(options: postmaster.StartOptions): Promise<void> {
  const child = await postmaster.startPostmaster(options);
  life.pid = child.pid;
  let gone = false;
  const exited = postmaster.exitOf(child).finally(() => (gone = true));
  const address = await Promise.race([
    postmaster.waitReady(options, () => !gone),
    exited.then(() => postmaster.waitReady(options, () => false)),
  ]);
  tell({ state: 'ready', ...address });
  await exited;
}

async function watchOther(options: postmaster.StartOptions, running: number): Promise<void> {
  life.pid = running;
  const alive = (): boolean => postmaster.livePostmaster(options.cluster) === running;
  const address = await postmaster.waitReady(options, alive);
  tell({ state: 'ready', ...address });
  while (alive()) await sleep(250);
}

await main();
