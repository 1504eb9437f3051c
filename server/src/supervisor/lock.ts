import { linkSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { hasCode, type Cluster } from '../host/postgres-files.ts';

/**
 * Takes the lock of a data directory: at most one supervisor runs on it. The lock is a listening socket that answers
 * with the process id. Unlike a process id in a file it ends with its process, and cannot belong to another program.
 *
 * @throws Error if another supervisor holds the lock
 */
export async function takeLock(cluster: Cluster): Promise<{ release: () => void }> {
  return process.platform === 'win32' ? takePipe(cluster) : takeSocket(cluster);
}

async function takeSocket(cluster: Cluster): Promise<{ release: () => void }> {
  const path = join(cluster.base, 'supervisor.sock');
  const own = join(cluster.base, `supervisor-${process.pid}.sock`);
  rmSync(own, { force: true });
  const server = await listen(own);
  try {
    // Creating a hard link is atomic, so only one of two concurrent starts succeeds.
    while (!tryLink(own, path)) {
      const holder = await holderOf(path);
      if (holder !== undefined) refuse(cluster, holder);
      await removeStale(path, cluster);
    }
  } catch (error) {
    server.close();
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
  const release = (): void => {
    rmSync(path, { force: true });
    server.close();
  };
  return { release };
}

/** On Windows only one process can listen on a named pipe, and the name is free when that process ends. */
async function takePipe(cluster: Cluster): Promise<{ release: () => void }> {
  const path = `${cluster.guardSocket}-supervisor`;
  try {
    const server = await listen(path);
    return { release: () => void server.close() };
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    return refuse(cluster, await holderOf(path));
  }
}

function refuse(cluster: Cluster, holder: string | undefined): never {
  throw new Error(
    `HengTai is already running on ${cluster.dataDir} (process ${holder ?? 'unknown'}). ` +
      `Stop it first, or choose another DATA_DIR. 该数据目录已有实例在运行。`,
  );
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((client) => client.on('error', () => undefined).end(String(process.pid)));
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Process id of the supervisor that listens on the socket; undefined if none does. */
function holderOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const client = connect(path);
    client.on('data', (chunk) => (text += chunk.toString('utf8')));
    client.once('error', () => resolve(undefined));
    client.once('close', () => resolve(text || undefined));
  });
}

/** Removes a stale socket. If another process has taken the lock since the check, its socket is put back. */
async function removeStale(path: string, cluster: Cluster): Promise<void> {
  const movedPath = `${path}.${process.pid}`;
  try {
    renameSync(path, movedPath);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const holder = await holderOf(movedPath);
  if (holder !== undefined) tryLink(movedPath, path);
  rmSync(movedPath, { force: true });
  if (holder !== undefined) refuse(cluster, holder);
}
