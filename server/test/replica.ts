import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type EmbeddedPostgres, startEmbedded } from '../src/embedded/embedded.ts';
import { loginUrlOf } from '../src/database/login.ts';
import type { TestDatabase } from './database.ts';

const log = (message: string): void => void process.stderr.write(`${message}\n`);

/** A separate PostgreSQL and a real streaming replica of it. */
export interface ReplicaPair {
  /** The empty database of the primary. `drop` stops both servers and removes their files. */
  database: TestDatabase;
  /** URL of a superuser at the replica, who can pause its replay. */
  replicaUrl: string;
  /** URL that requests use for the replica. */
  replicaAppUrl: string;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
}

/**
 * Starts the replica from a copy of the primary's files, taken after a clean shutdown. It then streams through the
 * primary's socket.
 */
export async function startReplicaPair(): Promise<ReplicaPair> {
  const directory = mkdtempSync(join(tmpdir(), 'hengtai-pair-'));
  const [dataDir, copyDir] = [join(directory, 'primary'), join(directory, 'replica')];
  const initial = await startEmbedded({ dataDir, log });
  await initial.stop();
  execFileSync('cp', ['-a', dataDir, copyDir]);
  const primary = await startEmbedded({ dataDir, log });
  configureStandby(join(copyDir, 'postgres'), primary.url);
  let replica: EmbeddedPostgres = await startEmbedded({ dataDir: copyDir, log });
  // The role is created on the primary after the migrations.
  const login = inject('cluster').login;
  return {
    database: {
      url: primary.url,
      appUrl: loginUrlOf(primary.url, login),
      drop: async () => {
        await replica.stop();
        await primary.stop();
        rmSync(directory, { recursive: true, force: true });
      },
    },
    replicaUrl: replica.url,
    replicaAppUrl: loginUrlOf(replica.url, login),
    stopReplica: () => replica.stop(),
    startReplica: async () => {
      replica = await startEmbedded({ dataDir: copyDir, log });
    },
  };
}

function configureStandby(pgData: string, url: string): void {
  const { username, password, hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const connection = `host=${host} port=${port || 5432} user=${username} password=${password}`;
  appendFileSync(join(pgData, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  const signal = join(pgData, 'standby.signal');
  writeFileSync(signal, '', { mode: 0o600 });
  const { uid, gid } = statSync(pgData);
  chownSync(signal, uid, gid);
}
