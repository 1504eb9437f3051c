import type { ClientBase } from 'pg';
import { withClient } from './client.ts';
import { type ServerLease, fetchLeases } from './server-lease.ts';

/** Connections of servers with a lease begin with this name, all others of HengTai with `hengtai-`. */
export const LEASED_POOLS = 'hengtai-server-';
/** The pools of servers of releases that had no leases. */
const POOLS_WITHOUT_LEASE = ['hengtai-requests', 'hengtai-system'];

/** Connections of HengTai that belong to no lease: commands, and servers of releases that had no leases. */
export interface OtherConnections {
  name: string;
  address: string;
  count: number;
  isServer: boolean;
}

export async function fetchOtherConnections(client: ClientBase): Promise<OtherConnections[]> {
  const { rows } = await client.query<OtherConnections>(
    `select application_name as name, coalesce(host(client_addr), 'an unknown address') as address,
       count(*)::int as count, application_name = any($2) as "isServer"
     from pg_stat_activity
     where datname = current_database() and starts_with(application_name, 'hengtai-')
       and not starts_with(application_name, $1)
     group by 1, 2 order by 1, 2`,
    [LEASED_POOLS, POOLS_WITHOUT_LEASE],
  );
  return rows;
}

/** What is connected, one line for each server process, and one for the connections of each other program of a host. */
export async function describeConnected(ownerUrl: string): Promise<{ servers: string[]; programs: string[] }> {
  return withClient(ownerUrl, async (client) => {
    const leases = await fetchLeases(client);
    const others = await fetchOtherConnections(client);
    return {
      servers: [...leases.map(describeLease), ...others.filter(({ isServer }) => isServer).map(describeConnections)],
      programs: others.filter(({ isServer }) => !isServer).map(describeConnections),
    };
  });
}

export const describeLease = ({ release, schemaVersion, host, pid, startedAt }: ServerLease): string =>
  `server of release ${release} on ${host} (pid ${pid}, schema ${schemaVersion}) since ${startedAt.toISOString()}`;

export const describeConnections = ({ name, address, count, isServer }: OtherConnections): string =>
  `${name} from ${address}, ${count} connections${isServer ? ' (a server of a release without leases)' : ''}`;
