import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildServer } from './app.ts';
import { findAuditKey, readOrMakeAuditKey, rootOf } from '../host/audit-key.ts';
import { systemClock } from '../host/clock.ts';
import { reportKeys } from '../app/known-key.store.ts';
import type { App } from '../app/context.ts';
import { createProcessState } from '../app/process-state.ts';
import { ConfigurationError, EXIT_CONFIGURATION } from '../host/configuration-error.ts';
import { LOCK_TIMEOUT_MS, type PoolUse, inTransaction, openPool } from '../database/connect.ts';
import { checkGrant, checkPrivileges, checkSession } from '../database/login.ts';
import { openReplica } from '../database/replica.ts';
import { LEASED_POOLS } from '../database/connected.ts';
import { consoleDirectory } from './console-directory.ts';
import { oidcSettingsOf } from './env-oidc.ts';
import { type Env, readEnv } from './env.ts';
import { startJobs } from '../jobs/job.ts';
import { jobs } from '../modules.ts';
import { secretKeysIn } from '../host/secret-key.ts';
import { findPlatformKeys, readOrMakePlatformKeys } from '../host/platform-key.ts';
import { relyingPartyOf, signingPageOf } from '../host/relying-party.ts';
import { checkKeys } from './key-check.ts';
import { takeLease } from './lease.ts';
import { endWithParent } from './parent.ts';
import { waitForDatabase } from './wait-for-database.ts';
import { checkZones } from './zone-check.ts';
import { startMetricsServer } from '../watch/metrics-server.ts';
import { makeReadiness } from '../watch/readiness.ts';

/** Maximum connections of each pool; a request holds one for a few milliseconds. */
const POOL = 8;
/** The statement limit is just below the time limit of a call: after that no client waits for the result. */
const LIMITS = { statement_timeout: '55000', idle_in_transaction_session_timeout: '60000', jit: 'off' } as const;

const INCOMPLETE = 'The server needs DATABASE_URL; `npm start` sets it.';

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const log = pino({ level: env.logLevel, base: { pid: process.pid } });
  const url = databaseUrlOf(env);
  await waitForDatabase('DATABASE_URL', url, { report: (message) => log.warn(message) });
  await checkPrivileges(url);
  if (env.databaseAppUrl !== undefined) {
    await checkGrant(url);
    await checkSession(url);
  }
  const { app, pools, end } = openApp(env, url, log);
  const lease = await takeLease(app);
  await inTransaction(app.system, async (db) => {
    await reportKeys(db, app);
    await checkKeys(db, { otp: app.secretKeys.loadedKeys(), audit: app.auditKey });
  });
  const readiness = makeReadiness(app);
  log.info({ fingerprint: rootOf(app.auditKey) }, 'audit key');
  const server = await buildServer(app, {
    trustProxy: env.trustProxy,
    consoleDir: consoleDirectory(),
    hosts: env.hosts,
    security: { contact: env.securityContact, publicUrl: env.publicUrl },
    readiness,
  });
  await server.listen({ port: env.port, host: env.host });
  const metrics =
    env.metricsPort === undefined
      ? undefined
      : await startMetricsServer({ app, pools, readiness }, { port: env.metricsPort, host: env.metricsHost });
  let isStopping = false;
  const stop = (code = 0): void => {
    if (isStopping) return;
    isStopping = true;
    app.state.isDraining = true;
    void (async () => {
      // A proxy notices /readyz before connections are refused.
      await sleep(env.drainSeconds * 1_000);
      await server.close();
      await metrics?.stop();
      await stopJobs();
      await lease.release().catch((error: unknown) => log.warn({ err: error }, 'the lease of the server remains'));
      await end();
      process.exit(code);
    })();
  };
  const renewal = lease.renewal((error) => {
    log.fatal(error.message);
    stop(EXIT_CONFIGURATION);
  });
  const stopJobs = startJobs(app, [...jobs, renewal]);
  void checkZones(app).catch((error: unknown) => {
    if (!isStopping) log.warn({ err: error }, 'the time zones were not compared');
  });
  process.on('SIGTERM', () => stop());
  process.on('SIGINT', () => stop());
  endWithParent(stop);
}

/** The supervisor passes only the URL of the login role. */
function databaseUrlOf({ databaseUrl, databaseAppUrl }: Env): string {
  const url = databaseAppUrl ?? databaseUrl;
  if (url === undefined) throw new Error(INCOMPLETE);
  return url;
}

interface OpenApp {
  app: App;
  pools: Record<string, () => PoolUse>;
  end: () => Promise<void>;
}

function openApp(env: Env, url: string, log: App['log']): OpenApp {
  // DATABASE_APP_URL may lead to a pooler, which does not keep prepared statements.
  const prepare = env.databaseAppUrl === undefined;
  const onError = (error: Error): void => log.warn({ err: error }, 'a database connection broke');
  const requests = openPool({
    url,
    max: POOL,
    name: `${LEASED_POOLS}requests`,
    settings: { ...LIMITS, lock_timeout: String(LOCK_TIMEOUT_MS.requests) },
    prepare,
    primaryOnly: true,
    onError,
  });
  const system = openPool({
    url,
    max: POOL,
    name: `${LEASED_POOLS}system`,
    settings: { ...LIMITS, lock_timeout: String(LOCK_TIMEOUT_MS.system), 'app.scope': 'all' },
    prepare,
    primaryOnly: true,
    onError,
  });
  const replica =
    env.databaseReadUrl === undefined
      ? undefined
      : openReplica({ url: env.databaseReadUrl, primary: system.db, max: POOL, settings: LIMITS, log });
  const app: App = {
    system: system.db,
    requests: requests.db,
    ...(replica && { replica }),
    clock: systemClock,
    log,
    auditDir: env.auditDir,
    auditKey: readOrMakeAuditKey(env.dataDir, env.auditDir),
    printLine: (line) => void process.stdout.write(`${line}\n`),
    secretKeys: secretKeysIn(env.dataDir, env),
    exports: {
      directory: join(env.dataDir, 'exports'),
      url,
      jobRows: env.exportJobRows,
      rowsPerSecond: env.exportRowsPerSecond,
    },
    channels: { ...env.channels, publicUrl: env.publicUrl },
    announceHosts: env.announceHosts,
    oidc: oidcSettingsOf(env.oidc, env.publicUrl ?? `http://localhost:${env.port}`),
    relyingParty: relyingPartyOf(env.publicUrl, env.port),
    signingPage: signingPageOf(env.signingUrl, env.publicUrl, env.port),
    platform: { ...readOrMakePlatformKeys(env, env.dataDir), simulated: env.platformIsSimulator },
    platformWebhook: env.platformWebhook,
    reloadKeys: () => {
      app.secretKeys.reload();
      app.auditKey = findAuditKey(env.dataDir, env.auditDir) ?? app.auditKey;
      const platform = findPlatformKeys(env, env.dataDir);
      if (platform) app.platform = { ...platform, simulated: env.platformIsSimulator };
    },
    state: createProcessState(),
  };
  const end = async (): Promise<void> => {
    await Promise.all([requests.end(), system.end(), replica?.end()]);
  };
  return { app, pools: { requests: requests.use, system: system.use }, end };
}

main().catch((error: unknown) => {
  const isConfiguration = error instanceof ConfigurationError;
  const text =
    error instanceof Error ? (isConfiguration ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(isConfiguration ? EXIT_CONFIGURATION : 1);
});
