import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Db, openPool } from '../database/connect.ts';
import { type EmbeddedPostgres, startEmbedded } from '../embedded/embedded.ts';
import {
  checkGrant,
  checkPrivileges,
  checkSession,
  DATABASE_LOGIN_FILE,
  loginUrlOf,
  readOrMakeLogin,
} from '../database/login.ts';
import { fetchReportZone } from '../books/lists/report-zone.ts';
import { findUnfitZones, offeredZones } from '../books/lists/zone-agreement.ts';
import { describeConnected } from '../database/connected.ts';
import { planOf } from '../database/migrate.ts';
import type { Env } from '../programs/env.ts';
import { waitForDatabase } from '../programs/wait-for-database.ts';
import { type DatabaseFacts, findDatabaseFacts, findLock, findSettings, type Settings } from './diagnosis.store.ts';
import { checkKeyRotation } from './doctor-keys.ts';
import { type Finding, good, problem, warning } from './finding.ts';
import { describeSchema } from './migrate.ts';

// Checks of `doctor` on the database.

const VERSION_MIN = 15;
const WAIT_MS = 5_000;
const CLOCK_PROBLEM_MS = 1_000;
/** Connections of one server process: two pools, and one more with a replica. */
const PER_PROCESS = 16;
const PER_REPLICA = 8;
/** For commands, backups and people. */
const SPARE = 10;

/** Connects and checks; an embedded PostgreSQL that is not running is started for the check. */
export async function checkDatabase(env: Env): Promise<Finding[]> {
  if (env.databaseUrl === undefined && !existsSync(join(env.dataDir, 'postgres')))
    return [
      warning('database', `there is none in ${env.dataDir} yet`, 'run "hengtai start" once, or set DATABASE_URL'),
    ];
  let embedded: EmbeddedPostgres | undefined;
  try {
    if (env.databaseUrl === undefined) embedded = await startEmbedded({ dataDir: env.dataDir, log: () => undefined });
    const url = env.databaseUrl ?? embedded?.url ?? '';
    await waitForDatabase('DATABASE_URL', url, { report: () => undefined, within: WAIT_MS });
    return await checkAt(url, env, embedded !== undefined);
  } catch (error) {
    return [problem('database', (error as Error).message, 'start it, or correct the variable')];
  } finally {
    await embedded?.stop();
  }
}

async function checkAt(url: string, env: Env, isEmbedded: boolean): Promise<Finding[]> {
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-doctor', onError: () => undefined });
  try {
    const before = Date.now();
    const facts = await findDatabaseFacts(db);
    const findings = [
      ...checkFacts(facts, isEmbedded),
      checkClock(facts.now - (before + Date.now()) / 2),
      ...checkSettings(await findSettings(db), env),
      ...(await checkSchema(url)),
      ...(await listServers(url)),
    ];
    const isSetUp = !findings.some(({ check, state }) => check === 'schema' && state !== 'ok');
    if (!isSetUp) return findings;
    return [
      ...findings,
      ...(await checkLogin(url, env)),
      ...(await checkKeyRotation(db, env)),
      await checkFourEyes(db),
      ...(await checkZones(db)),
    ];
  } finally {
    await end();
  }
}

function checkFacts({ version, encoding, superuser }: DatabaseFacts, isEmbedded: boolean): Finding[] {
  const major = Math.floor(version / 10_000);
  return [
    major >= VERSION_MIN
      ? good('database', `PostgreSQL ${major}`)
      : problem('database', `PostgreSQL ${major}`, `use version ${VERSION_MIN} or newer`),
    encoding === 'UTF8'
      ? good('encoding', encoding)
      : problem('encoding', encoding, "create the database with encoding 'UTF8' and template0"),
    superuser && !isEmbedded
      ? warning('owner', 'DATABASE_URL names a superuser', 'let an ordinary role with createrole own the database')
      : good('owner', isEmbedded ? 'the superuser of the embedded PostgreSQL' : 'no superuser'),
  ];
}

function checkClock(difference: number): Finding {
  const text = `the clocks of this machine and the database differ by ${Math.abs(Math.round(difference))} ms`;
  return Math.abs(difference) > CLOCK_PROBLEM_MS
    ? problem('clock', text, 'synchronise both by NTP: sessions, one-time codes and leases depend on it')
    : good('clock', text);
}

function checkSettings(settings: Settings, env: Env): Finding[] {
  const needed = env.processes * (PER_PROCESS + (env.databaseReadUrl === undefined ? 0 : PER_REPLICA)) + SPARE;
  const unsafe = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter(
    (name) => settings[name] === 'off',
  );
  const advised: readonly (readonly [boolean, string, string])[] = [
    [
      settings.jit !== 'off',
      `jit = ${settings.jit}`,
      'set jit = off: compiling short queries costs more than it saves',
    ],
    [Number(settings.random_page_cost) > 2, `random_page_cost = ${settings.random_page_cost}`, 'set it to 1.1 on SSDs'],
    [
      settings.log_min_error_statement !== 'panic',
      `log_min_error_statement = ${settings.log_min_error_statement}`,
      'set it to panic: statements contain personal data',
    ],
  ];
  return [
    ...unsafe.map((name) => problem('durability', `${name} is off`, `set ${name} = on: a power cut would lose money`)),
    ...(unsafe.length === 0 ? [good('durability', 'fsync, full_page_writes and synchronous_commit are on')] : []),
    Number(settings.max_connections) < needed
      ? problem('connections', `max_connections = ${settings.max_connections}`, `set at least ${needed}`)
      : good('connections', `max_connections = ${settings.max_connections}, ${needed} are needed`),
    ...advised.filter(([isBad]) => isBad).map(([, text, advice]) => warning('settings', text, advice)),
  ];
}

async function checkSchema(url: string): Promise<Finding[]> {
  try {
    const plan = await planOf(url);
    const { pending } = plan;
    return pending.length === 0
      ? [good('schema', describeSchema(plan))]
      : [warning('schema', `${pending.length} migrations are pending`, 'run "hengtai migrate", or start this release')];
  } catch (error) {
    return [problem('schema', (error as Error).message, 'see the message')];
  }
}

async function listServers(url: string): Promise<Finding[]> {
  const { servers } = await describeConnected(url);
  return servers.length === 0 ? [good('servers', 'none runs')] : servers.map((server) => good('servers', server));
}

/** The role of the servers. A DATA_DIR that never started has none yet. */
async function checkLogin(ownerUrl: string, env: Env): Promise<Finding[]> {
  const isMade = existsSync(join(env.dataDir, DATABASE_LOGIN_FILE));
  if (env.databaseAppUrl === undefined && !isMade) return [good('server role', 'the first start creates it')];
  try {
    await checkPrivileges(env.databaseAppUrl ?? loginUrlOf(ownerUrl, readOrMakeLogin(env.dataDir)));
    if (env.databaseAppUrl !== undefined) {
      await checkGrant(env.databaseAppUrl);
      await checkSession(env.databaseAppUrl);
    }
    return [good('server role', 'has no more privileges than it needs')];
  } catch (error) {
    return [problem('server role', (error as Error).message, 'see the message')];
  }
}

async function checkFourEyes(db: Db): Promise<Finding> {
  return (await findLock(db)) === null
    ? warning('four-eyes', 'open: one person alone can move money', 'lock four-eyes on the page 复核')
    : good('four-eyes', 'locked');
}

/** The clocks of Node.js and of the database, whose files of time zones are updated apart. */
async function checkZones(db: Db): Promise<Finding[]> {
  const now = Date.now();
  const zone = await fetchReportZone(db, now);
  const unfit = await findUnfitZones(db, offeredZones(), now);
  const advice = 'update Node.js and PostgreSQL (or its tzdata), so that both know the same laws';
  return [
    (await findUnfitZones(db, [zone], now)).length === 0
      ? good('report zone', zone)
      : problem('report zone', `Node.js and the database differ on ${zone}`, advice),
    unfit.length === 0
      ? good('zones', 'Node.js and the database agree on all zones')
      : warning('zones', `not offered, because Node.js and the database differ: ${unfit.join(', ')}`, advice),
  ];
}
