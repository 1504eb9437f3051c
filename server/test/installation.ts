import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { inject } from 'vitest';
import { startEmbedded } from '../src/embedded/embedded.ts';
import { openCluster } from '../src/host/postgres-files.ts';
import { setup } from '../src/programs/setup.ts';
import { ADMIN } from './admin.ts';

/**
 * Copies an installation after its first start into a directory, because a first start takes several seconds of CPU time. The
 * first caller of the run makes it.
 */
export async function copyInstallation(directory: string): Promise<void> {
  const { baseUrl, installation } = inject('cluster');
  const client = new Client({ connectionString: baseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    if (!existsSync(installation)) await makeInstallation(installation);
  } finally {
    await client.end();
  }
  execFileSync('cp', ['-a', `${installation}/.`, directory]);
}

async function makeInstallation(path: string): Promise<void> {
  const dataDir = mkdtempSync(`${path}-`);
  const postgres = await startEmbedded({ dataDir, log: () => undefined });
  await setup({
    databaseUrl: postgres.url,
    adminAccount: ADMIN.account,
    adminPassword: ADMIN.password,
    simulator: false,
  });
  await postgres.stop();
  rmSync(openCluster(dataDir).base, { recursive: true });
  renameSync(dataDir, path);
}
