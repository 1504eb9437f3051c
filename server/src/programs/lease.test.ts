// @module-tag full
import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { queryAt } from '../../test/database.ts';
import { type NextRelease, makeNextRelease, WAIT_AT_GATE } from '../../test/next-release.ts';
import { startOtherProcess } from '../../test/other-process.ts';
import { type TestServer, testServer } from '../../test/server.ts';
import { nodeArguments } from '../../../testing/program.ts';
import { productVersion } from '../host/version.ts';
import type { Job } from '../jobs/job.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import { openPool } from '../database/connect.ts';
import { migrate, planOf } from '../database/migrate.ts';
import { migrationsDirectory, readMigrations } from '../database/migration-files.ts';
import { makeReadiness } from '../watch/readiness.ts';
import { type Lease, takeLease } from './lease.ts';

/** The number of the newest migration of this release. */
const NEWEST = readMigrations(migrationsDirectory()).at(-1)?.version ?? 0;
/** Breaks the servers of this release. */
const CONTRACT = '-- Drops a column.\n-- serves-from: 9001\nalter table gate drop column note;\n';
const EXPAND = { '9001-expand.sql': 'create table gate (open boolean, note text);\n' };

let server: TestServer;
let next: NextRelease;

beforeEach(async () => {
  server = await testServer({ jobs: false });
  next = makeNextRelease(EXPAND);
});
afterEach(async () => {
  next.remove();
  await server.stop();
});

const { appRole } = inject('cluster');
const migrateNext = (): Promise<{ applied: string[] }> =>
  migrate(server.urls.owner, { appRole, directory: next.directory });
const addContract = (): void => next.add('9002-contract.sql', CONTRACT);

interface LeaseRow {
  release: string;
  schema_version: number;
  host: string;
  pid: number;
}
const fetchLeaseRows = (): Promise<LeaseRow[]> =>
  server.query(sql<LeaseRow>`select release, schema_version, host, pid from server_lease`);

const neverUnserved = (error: ConfigurationError): void => {
  throw error;
};
const run = (job: Job): Promise<boolean> => job.run(server.app, new AbortController().signal);

/** Renews a lease all the time, as its server would. */
function keepRenewing(lease: Lease): () => Promise<void> {
  const stopController = new AbortController();
  const renewal = lease.renewal(neverUnserved);
  const loop = async (): Promise<void> => {
    while (!stopController.signal.aborted) {
      await run(renewal);
      await sleep(50);
    }
  };
  const running = loop();
  return async () => {
    stopController.abort();
    await running;
  };
}

/** Makes all leases older, as if they had not been renewed for so many seconds. */
const age = (seconds: number): Promise<unknown> =>
  server.query(sql`update server_lease set seen_at = seen_at - ${seconds * 1000}`);

describe('a contracting migration', () => {
  test('is refused while an older server renews its lease, and passes after its end', async () => {
    const lease = await takeLease(server.app);
    const stopRenewing = keepRenewing(lease);
    expect(await migrateNext()).toEqual({ applied: ['9001-expand'] });
    addContract();
    const refusal: unknown = await migrateNext().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigurationError);
    expect(String(refusal)).toContain(
      `server of release ${productVersion()} on ${hostname()} (pid ${process.pid}, schema ${NEWEST})`,
    );
    await stopRenewing();
    await lease.release();
    expect(await migrateNext()).toEqual({ applied: ['9002-contract'] });
  });

  test('passes when the lease of a server that crashed runs out', async () => {
    await takeLease(server.app);
    await migrateNext();
    addContract();
    await age(28);
    expect(await migrateNext()).toEqual({ applied: ['9002-contract'] });
    expect(await fetchLeaseRows()).toEqual([]);
  });

  test('does not wait for servers that it serves', async () => {
    await migrateNext();
    const lease = await takeLease(server.app, next.read());
    const stopRenewing = keepRenewing(lease);
    addContract();
    expect(await migrateNext()).toEqual({ applied: ['9002-contract'] });
    await stopRenewing();
    expect(await fetchLeaseRows()).toMatchObject([{ schema_version: 9001 }]);
  });

  test('is refused while a server of a release without leases is connected', async () => {
    await migrateNext();
    addContract();
    const { db, end } = openPool({
      url: server.urls.app,
      max: 1,
      name: 'hengtai-requests',
      onError: () => undefined,
    });
    await sql`select 1`.execute(db);
    await expect(migrateNext()).rejects.toThrow(/would break servers .* hengtai-requests from .* without leases/);
    await end();
    await vi.waitFor(async () => expect(await migrateNext()).toEqual({ applied: ['9002-contract'] }), 30_000);
  });

  test('makes an older server that starts meanwhile wait and refuses it; others renew their leases', async () => {
    await migrateNext();
    const served = await takeLease(server.app, next.read());
    next.add('9002-contract.sql', `-- serves-from: 9001${WAIT_AT_GATE}alter table gate drop column note;`);
    const migrating = migrateNext();
    const isActive = (like: string) => async (): Promise<boolean> => {
      const rows = await queryAt(
        server.urls.owner,
        `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and state = 'active' and query like '${like}'`,
      );
      return rows.length === 1;
    };
    await vi.waitUntil(isActive('%not exists (select from gate)%'), { timeout: 30_000 });
    const starting = takeLease(server.app).catch((error: unknown) => error);
    await vi.waitUntil(isActive('%lock table server_lease%'), { timeout: 30_000 });
    await run(served.renewal(neverUnserved));
    await queryAt(server.urls.owner, 'insert into gate (open) values (true)');
    expect(await migrating).toEqual({ applied: ['9002-contract'] });
    expect(await starting).toBeInstanceOf(ConfigurationError);
    expect(await fetchLeaseRows()).toMatchObject([{ schema_version: 9001 }]);
  });
});

describe('a server', () => {
  test('that stood still for longer than its lease learns that the schema no longer serves it', async () => {
    const unserved: string[] = [];
    const renewal = (await takeLease(server.app)).renewal((error) => void unserved.push(error.message));
    await age(31);
    await run(renewal);
    await age(31);
    await migrateNext();
    addContract();
    await migrateNext();
    expect(unserved).toEqual([]);
    await run(renewal);
    expect(unserved).toEqual([
      expect.stringContaining('it has 9002-contract, which serves only servers with migration'),
    ]);
    expect(await fetchLeaseRows()).toEqual([]);
  });

  test('whose lease ran out takes another while the schema serves it', async () => {
    const renewal = (await takeLease(server.app)).renewal(neverUnserved);
    await age(31);
    // The start of another server removes it.
    await (await takeLease(server.app)).release();
    expect(await fetchLeaseRows()).toEqual([]);
    await run(renewal);
    expect(await fetchLeaseRows()).toMatchObject([{ schema_version: NEWEST }]);
  });

  test('does not start on a schema that lacks a migration', async () => {
    next.add('9001-expand.sql', EXPAND['9001-expand.sql']);
    await expect(takeLease(server.app, next.read())).rejects.toThrow(
      '9001-expand is not applied. Run "hengtai migrate"',
    );
    expect(await fetchLeaseRows()).toEqual([]);
  });

  test('is ready on an expanded schema, and not on one that no longer serves it', async () => {
    await migrateNext();
    const schemaOf = async () => (await makeReadiness(server.app)()).checks.find(({ name }) => name === 'schema');
    expect(await schemaOf()).toEqual({ name: 'schema', ok: true, reason: 'The database is newer: 9001-expand.' });
    addContract();
    await migrateNext();
    expect(await schemaOf()).toMatchObject({ ok: false, reason: expect.stringContaining('9002-contract') });
  });
});

test('an older release leaves a schema that serves it as it is, and refuses any other', async () => {
  await migrateNext();
  expect(await migrate(server.urls.owner, { appRole })).toEqual({ applied: [] });
  expect(await planOf(server.urls.owner)).toEqual({ pending: [], newer: ['9001-expand'] });
  addContract();
  await migrateNext();
  await expect(migrate(server.urls.owner, { appRole })).rejects.toThrow(ConfigurationError);
  await expect(planOf(server.urls.owner)).rejects.toThrow('Start the newer release');
});

test('a process has a lease from its start to its end, and starts again on an expanded schema only', async () => {
  const first = await startOtherProcess(server);
  expect(await fetchLeaseRows()).toEqual([
    { release: productVersion(), schema_version: NEWEST, host: hostname(), pid: first.pid },
  ]);
  expect(await first.stop()).toBe(0);
  expect(await fetchLeaseRows()).toEqual([]);
  await migrateNext();
  const again = await startOtherProcess(server);
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
  expect(await again.stop()).toBe(0);
  addContract();
  await migrateNext();
  const { code, text } = await runServer();
  expect(text.trim()).toMatch(/^The database is newer than this program: it has 9002-contract.*$/);
  expect(code).toBe(78);
});

/** Starts a server that ends by itself. */
function runServer(): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, nodeArguments('server/src/programs/main.ts'), {
      env: {
        ...process.env,
        DATABASE_URL: server.urls.app,
        DATABASE_APP_URL: server.urls.app,
        DATA_DIR: server.auditDir,
        AUDIT_DIR: server.auditDir,
        PLATFORM_KEY: 'key',
        PLATFORM_SECRET: 'secret',
        PORT: '1',
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    child.once('close', (code) => resolve({ code, text }));
  });
}
