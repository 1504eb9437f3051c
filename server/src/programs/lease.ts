import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { App } from '../app/context.ts';
import { productVersion } from '../host/version.ts';
import type { Job } from '../jobs/job.ts';
import { whyUnserved } from '../database/applied-migrations.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import { type Migration, migrationsDirectory, readMigrations } from '../database/migration-files.ts';
import {
  LEASE_RENEWAL_MS,
  type ServerProcess,
  deleteLease,
  insertLease,
  renewLease,
} from '../database/server-lease.ts';
import { fetchAppliedMigrations } from '../watch/schema.store.ts';

/** The registration of this process among the running servers. */
export interface Lease {
  /** Renews the lease. Calls `onUnserved` if it had run out, and the schema no longer serves this release. */
  renewal(onUnserved: (error: ConfigurationError) => void): Job;
  release(): Promise<void>;
}

/**
 * Registers this process as a running server of this release.
 *
 * @param migrations those of this release
 * @throws ConfigurationError if the schema lacks one of them, or no longer serves this release
 */
export async function takeLease(app: App, migrations = readMigrations(migrationsDirectory())): Promise<Lease> {
  const server: ServerProcess = {
    id: randomUUID(),
    release: productVersion(),
    schemaVersion: migrations.at(-1)?.version ?? 0,
    host: hostname(),
    pid: process.pid,
  };
  await checkComplete(app, migrations);
  await register(app, server);
  return {
    renewal: (onUnserved) => ({
      name: 'renew-lease',
      everyMs: LEASE_RENEWAL_MS,
      run: async () => {
        if (await renewLease(app.system, server.id)) return false;
        await register(app, server).catch((error: unknown) => {
          if (!(error instanceof ConfigurationError)) throw error;
          onUnserved(error);
        });
        return false;
      },
    }),
    release: () => deleteLease(app.system, server.id),
  };
}

/** The lease itself needs a table of a recent schema. */
async function checkComplete(app: App, migrations: readonly Migration[]): Promise<void> {
  const applied = new Set((await fetchAppliedMigrations(app.system)).map(({ version }) => version));
  const missing = migrations.find(({ version }) => !applied.has(version));
  if (missing)
    throw new ConfigurationError(
      `The database is older than this program: ${missing.name} is not applied. Run "hengtai migrate". 请先升级数据库结构。`,
    );
}

async function register(app: App, server: ServerProcess): Promise<void> {
  await insertLease(app.system, server);
  const reason = whyUnserved(await fetchAppliedMigrations(app.system), server.schemaVersion);
  if (reason === undefined) return;
  await deleteLease(app.system, server.id);
  throw new ConfigurationError(reason);
}
