import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { ConfigurationError } from '../host/configuration-error.ts';
import type { Migration } from './migration-files.ts';
import { type OtherConnections, describeConnections, describeLease, fetchOtherConnections } from './connected.ts';
import { type ServerLease, fetchLeases, lockLeases } from './server-lease.ts';

const POLL_MS = 500;

interface OlderServers {
  leased: ServerLease[];
  unleased: OtherConnections[];
}

/**
 * Waits until no server runs that a contracting migration would break. A server that renews its lease meanwhile is alive, and
 * the migration is refused. A lease that is not renewed, because its server crashed, runs out.
 *
 * @throws ConfigurationError that names the servers
 */
export async function waitForOlderServers(
  client: ClientBase,
  migration: Migration,
  report: ((message: string) => void) | undefined,
): Promise<void> {
  const first = await findOlderServers(client, migration);
  const seenAt = new Map(first.leased.map((lease) => [lease.id, lease.seenAt]));
  if (first.leased.length > 0)
    report?.(`Checking whether older servers are alive: ${describe(first)} … 正在确认旧版服务是否仍在运行`);
  for (let older = first; ; older = await findOlderServers(client, migration)) {
    const alive = older.leased.filter((lease) => lease.seenAt !== seenAt.get(lease.id));
    if (alive.length > 0 || older.unleased.length > 0) throw refusalOf(migration, older);
    if (older.leased.length === 0) return;
    await sleep(POLL_MS);
  }
}

/**
 * Keeps older servers from starting until the transaction ends.
 *
 * @throws ConfigurationError if one runs
 */
export async function lockOutOlderServers(client: ClientBase, migration: Migration): Promise<void> {
  await lockLeases(client);
  const older = await findOlderServers(client, migration);
  if (older.leased.length > 0 || older.unleased.length > 0) throw refusalOf(migration, older);
}

async function findOlderServers(client: ClientBase, { servesFrom = 0 }: Migration): Promise<OlderServers> {
  if (servesFrom === 0) return { leased: [], unleased: [] };
  return {
    leased: (await fetchLeases(client)).filter(({ schemaVersion }) => schemaVersion < servesFrom),
    unleased: (await fetchOtherConnections(client)).filter(({ isServer }) => isServer),
  };
}

function refusalOf({ name }: Migration, older: OlderServers): ConfigurationError {
  return new ConfigurationError(
    `Migration ${name} would break servers of an older release that run: ${describe(older)}. ` +
      'Stop or upgrade them first. 旧版服务仍在运行，请先停止或升级。',
  );
}

const describe = ({ leased, unleased }: OlderServers): string =>
  [...leased.map(describeLease), ...unleased.map(describeConnections)].join('; ');
