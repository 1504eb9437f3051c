import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { CODE, type Envelope } from '@hengtai/contract/wire/envelope';
import { targetTypes } from '@hengtai/contract/authority/target';
import { EXPORT_JOB_ROWS, EXPORT_ROWS_PER_SECOND } from '@hengtai/contract/desk/export/calls';
import { signedText } from '@hengtai/contract/gateway/gateway';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { FastifyInstance } from 'fastify';
import { createHmac } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { pino } from 'pino';
import { buildServer } from '../src/programs/app.ts';
import { readOrMakeAuditKey } from '../src/host/audit-key.ts';
import type { App } from '../src/app/context.ts';
import { type Db, type PoolOptions, openPool } from '../src/database/connect.ts';
import { ensureLogin } from '../src/database/login.ts';
import { checkFundDays } from '../src/domains/desk/report/fund-day.store.ts';
import { checkCounters } from '../src/books/lists/counters.ts';
import type { ReceiveLimits } from '../src/http/receive-limits.ts';
import { openReplica } from '../src/database/replica.ts';
import { type Job, startJobs } from '../src/jobs/job.ts';
import { jobs } from '../src/modules.ts';
import { createProcessState } from '../src/app/process-state.ts';
import { secretKeysIn } from '../src/host/secret-key.ts';
import { signingPageOf } from '../src/host/relying-party.ts';
import { setup } from '../src/programs/setup.ts';
import { afterAll, beforeAll, inject } from 'vitest';
import { ADMIN } from './admin.ts';
import { type TestDatabase, startedDatabase } from './database.ts';
import { INTERNAL_WORD } from './internal-words.ts';

export { ADMIN };

/** A clock that tests can move. */
export interface TestClock {
  now(): number;
  /** Milliseconds ahead of real time. */
  offset(): number;
  /** Advances the clock by milliseconds; may be negative. */
  move(ms: number): void;
  /** Stops the clock, so that only `move` advances it. The returned function lets it run from there. */
  freeze(): () => void;
}

export interface TestServer {
  app: App;
  server: FastifyInstance;
  clock: TestClock;
  /** The database as its owner, for setup and inspection. */
  owner: Db;
  query<T>(statement: RawBuilder<T>): Promise<T[]>;
  auditDir: string;
  /** Lines that the server has printed. */
  printedLines: string[];
  /** The errors that the server logged, unless the test or TEST_LOG takes the log. */
  errors: string[];
  urls: { owner: string; app: string };
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** Runs the background jobs as in production. False if a test calls them itself. */
  jobs?: boolean;
  /** Runs requests as the owner of the tables, to whom row-level security does not apply. */
  withoutRowSecurity?: boolean;
  /** Which statements are prepared, as in `PoolOptions`. */
  prepare?: PoolOptions['prepare'];
  /** An existing database with the heads of its audit chain. Both are removed when the server stops. */
  existing?: { database: TestDatabase; auditDir: string };
  /** URL of a replica for lists. */
  replica?: string;
  /** Receive limits, for tests that cannot wait for the real ones. */
  receive?: Partial<ReceiveLimits>;
  /** Number of trusted proxies. */
  trustProxy?: number;
  /** Receives the log lines. */
  log?: App['log'];
  /** True if the platform of this server is the simulator. */
  simulated?: boolean;
  /** Overrides of the export settings. */
  exports?: Partial<App['exports']>;
  /** Overrides of the settings of notification channels. */
  channels?: Partial<App['channels']>;
  announceHosts?: App['announceHosts'];
  /** Folder of the built console. */
  consoleDir?: string;
}

const HOUR = 3_600_000;
function createTestClock(): TestClock {
  let offset = 0;
  let frozenAt: number | undefined;
  const now = (): number => (frozenAt ?? Date.now()) + offset;
  const move = (ms: number): void => void (offset += ms);
  const freeze = (): (() => void) => {
    frozenAt = Date.now();
    return () => {
      offset = now() - Date.now();
      frozenAt = undefined;
    };
  };
  return { now, offset: () => now() - Date.now(), move, freeze };
}

/**
 * Unix milliseconds of the hour on the next day in the report zone (UTC+8). At 9, the day does not end soon in that
 * zone or in UTC.
 */
export const nextDayAt = (hour: number, now: number): number =>
  (Math.floor((now + 8 * HOUR) / (24 * HOUR)) + 1) * 24 * HOUR + (hour - 8) * HOUR;

/** Maximum wait for a connection in milliseconds. Hundreds of concurrent requests share few connections. */
const CONNECT_TIMEOUT_MS = 120_000;

/**
 * Statements that PostgreSQL can prepare. The tables of tests are so small that planning costs more than anything else.
 */
const isStatement = (text: string): boolean => /^\s*(?:\/\*|select|with|insert|update|delete)/.test(text);

const POLL_MS = 400;

/**
 * The jobs, easier on the CPU: in production they poll more often and all run once at the start, which would be a tenth of a whole
 * test run. One that runs every second or less often begins with its pause.
 */
function slowDown(job: Job): Job {
  let waits = job.everyMs >= 1_000;
  const run: Job['run'] = async (app, stopSignal) => {
    if (!waits) return job.run(app, stopSignal);
    waits = false;
    return false;
  };
  return { ...job, everyMs: Math.max(job.everyMs, POLL_MS), run };
}

/** A server that starts before the tests of a file and stops after them. */
export function provideServer(options: TestServerOptions = {}): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await testServer(options));
  });
  afterAll(() => server.stop());
  return server;
}

/** Starts the real server in this process with its own database. Requests pass through its whole HTTP stack. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  if (options.existing) await startExisting(options.existing.database);
  const database = options.existing?.database ?? (await startedDatabase());
  const clock = createTestClock();
  const onError = (): void => undefined;
  const owner = openPool({ url: database.url, max: 4, name: 'test-owner', onError });
  // Otherwise the first five executions of a prepared statement are each planned.
  const plans: Readonly<Record<string, string>> =
    options.prepare === undefined ? { plan_cache_mode: 'force_generic_plan' } : {};
  const requests = openPool({
    url: options.withoutRowSecurity ? database.url : database.appUrl,
    max: 12,
    name: 'test-requests',
    prepare: options.prepare ?? isStatement,
    settings: plans,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    onError,
  });
  const system = openPool({
    url: database.appUrl,
    max: 8,
    name: 'test-system',
    settings: { ...plans, 'app.scope': 'all' },
    prepare: options.prepare ?? isStatement,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    onError,
  });
  const auditDir = options.existing?.auditDir ?? (await mkdtemp(join(tmpdir(), 'hengtai-audit-')));
  const errors: string[] = [];
  const printed = process.env['TEST_LOG'];
  const log =
    options.log ??
    (printed ? pino({ level: printed }) : pino({ level: 'error' }, { write: (line) => void errors.push(line) }));
  const replica =
    options.replica === undefined
      ? undefined
      : openReplica({ url: options.replica, primary: system.db, max: 4, settings: {}, log });
  const printedLines: string[] = [];
  const app: App = {
    system: system.db,
    requests: requests.db,
    ...(replica && { replica }),
    clock,
    log,
    auditDir,
    auditKey: readOrMakeAuditKey(auditDir, auditDir),
    printLine: (line) => void printedLines.push(line),
    secretKeys: secretKeysIn(auditDir),
    exports: {
      directory: join(auditDir, 'exports'),
      url: options.withoutRowSecurity ? database.url : database.appUrl,
      jobRows: EXPORT_JOB_ROWS,
      rowsPerSecond: EXPORT_ROWS_PER_SECOND,
      ...options.exports,
    },
    channels: {
      publicUrl: undefined,
      hosts: [],
      allowPrivate: false,
      smtp: undefined,
      // Blocked, because the address is private. Tests that send something replace it.
      telegram: { token: '1:test', url: 'https://127.0.0.1' },
      ...options.channels,
    },
    announceHosts: options.announceHosts ?? [],
    relyingParty: { id: 'localhost', origin: 'http://localhost:8080' },
    signingPage: signingPageOf(undefined, undefined, 8080),
    platform: { key: 'test-key', secret: 'test-secret', simulated: options.simulated === true },
    reloadKeys: () => undefined,
    state: createProcessState(),
  };
  const server = await buildServer(app, {
    trustProxy: options.trustProxy ?? false,
    ...(options.receive && { receive: options.receive }),
    consoleDir: options.consoleDir,
  });
  await server.ready();
  const stopJobs = options.jobs === false ? async () => undefined : startJobs(app, jobs.map(slowDown));
  return {
    app,
    server,
    clock,
    owner: owner.db,
    query: async (statement) => (await statement.execute(owner.db)).rows,
    auditDir,
    printedLines,
    errors,
    urls: { owner: database.url, app: database.appUrl },
    stop: async () => {
      await server.close();
      await stopJobs();
      // After every test file the stored totals must match the rows, so that no write path misses a count.
      const differences = await findDifferences(owner.db);
      const unnamed = await findUnnamedKinds(owner.db);
      await Promise.all([owner.end(), requests.end(), system.end(), replica?.end()]);
      await database.drop();
      await rm(auditDir, { recursive: true, force: true });
      if (differences.length > 0) throw new Error(`counters and rows differ: ${differences.join('\n')}`);
      if (unnamed.length > 0) throw new Error(`kinds of records without a Chinese name: ${unnamed.join(', ')}`);
    },
  };
}

/**
 * Updates the statistics of all tables from a small sample. Without them the planner chooses plans for the check of the
 * counters that take several times as long.
 */
const analyze = sql.raw('begin; set local default_statistics_target = 10; analyze; commit');

/** Whether a table has gained so many rows that its statistics mislead the planner. */
const hasGrown = sql`select from pg_stat_user_tables where n_mod_since_analyze > 500 limit 1`;

/** The kinds of records in the database for which screens, files and messages would show an internal word. */
async function findUnnamedKinds(owner: Db): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select ref_type as kind from transfer union select ref_type from alarm
    union select target_type from approval union select target_type from audit where target_type is not null`.execute(
    owner,
  );
  // Tests of the ledger post transfers about nothing.
  return rows.map(({ kind }) => kind).filter((kind) => kind !== 'test' && !Object.hasOwn(targetTypes, kind));
}

/** Compares counters and daily flows with the rows. */
async function findDifferences(owner: Db): Promise<string[]> {
  if ((await hasGrown.execute(owner)).rows.length > 0) await analyze.execute(owner);
  return [...(await checkCounters(owner)), ...(await checkFundDays(owner))].map((one) =>
    Object.values(one).join(' | '),
  );
}

/** Prepares a database that may be of another release, or on another PostgreSQL, as a start does. */
async function startExisting(database: TestDatabase): Promise<void> {
  const { appRole, login: databaseLogin } = inject('cluster');
  await setup({
    databaseUrl: database.url,
    adminAccount: ADMIN.account,
    adminPassword: ADMIN.password,
    simulator: false,
    migrate: { appRole },
  });
  // Clones share the roles of their template; another PostgreSQL has none yet.
  await ensureLogin(database.url, databaseLogin, appRole);
}

export interface ApiResponse<T = unknown> extends Envelope<T> {
  status: number;
  requestId: string;
}

export interface CallOptions {
  token?: string | undefined;
  key?: string;
  headers?: Record<string, string>;
  /** The call is expected to answer with an error of the server. */
  fails?: true;
}

/**
 * Calls a path below /api/v1/admin/. GET sends `input` as query, POST as JSON.
 *
 * @throws Error with what the server logged, if it answers with an unexpected error of its own (500)
 */
export async function call<T = unknown>(
  { server, errors }: TestServer,
  method: 'GET' | 'POST',
  path: string,
  input: object = {},
  { token, key, headers, fails }: CallOptions = {},
): Promise<ApiResponse<T>> {
  const fields = Object.fromEntries(Object.entries(input).map(([field, value]) => [field, String(value)]));
  const query = method === 'GET' ? `?${new URLSearchParams(fields).toString()}` : '';
  const response = await server.inject({
    method,
    url: `${API_BASE}${path}${query}`,
    headers: {
      ...(token === undefined ? {} : { token }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(method === 'POST' ? { payload: JSON.stringify(input) } : {}),
  });
  const envelope: Envelope<T> = response.json();
  const requestId = String(response.headers['x-request-id']);
  if (envelope.code === CODE.internalError && !fails)
    throw new Error(`${path} answered 500: ${errors.find((line) => line.includes(requestId)) ?? 'see the log'}`);
  // A message may repeat the name of a field that the caller sent.
  const internal = INTERNAL_WORD.exec(envelope.msg)?.[0];
  if (internal !== undefined && !Object.hasOwn(input, internal))
    throw new Error(`the message of ${path} has the internal word ${internal}: ${envelope.msg}`);
  return { ...envelope, status: response.statusCode, requestId };
}

/** Reads as the operator of a token. @returns the data of the answer */
export const fetchData = async <T>(server: TestServer, token: string, path: string, input: object = {}): Promise<T> =>
  (await call<T>(server, 'GET', path, input, { token })).data;

/** Logs in and returns the token. */
export async function login(
  server: TestServer,
  account: string = ADMIN.account,
  password: string = ADMIN.password,
): Promise<string> {
  const { token, msg } = await call(server, 'POST', 'login', { account, password });
  if (!token) throw new Error(`${account} cannot log in: ${msg}`);
  return token;
}

/** Sends a signed call to the gateway. */
export async function platformCall<T = unknown>(
  { server, app, clock }: TestServer,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<ApiResponse<T>> {
  const url = `/platform/v1/${path}`;
  const raw = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const time = String(clock.now());
  const signature = createHmac('sha256', app.platform.secret)
    .update(signedText(time, method, url, raw))
    .digest('hex');
  const response = await server.inject({
    method,
    url,
    headers: {
      'x-key': app.platform.key,
      'x-time': time,
      'x-signature': signature,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: raw }),
  });
  const envelope: Envelope<T> = response.json();
  return { ...envelope, status: response.statusCode, requestId: '' };
}

let counter = 0;
/** A number or account that is unique in the file. */
export const unique = (prefix: string): string => `${prefix}${(counter += 1)}`;

/** Sends events and returns their answers. */
export async function send(
  server: TestServer,
  ...events: { type: string; data: object; eventId?: string; at?: number }[]
): Promise<EventAnswer[]> {
  const batch = events.map(({ type, data, eventId = unique('event-'), at = server.clock.now() }) => ({
    eventId,
    type,
    at,
    data,
  }));
  const response = await platformCall<EventAnswer[]>(server, 'POST', 'events', batch);
  if (response.code !== 200) throw new Error(`events: ${response.code} ${response.msg}`);
  return response.data;
}

/** Sends events that must all be applied. */
export async function apply(
  server: TestServer,
  ...events: Parameters<typeof send> extends [TestServer, ...infer E] ? E : never
): Promise<void> {
  const answers = await send(server, ...events);
  const rejected = answers.find((answer) => answer.result !== 'applied');
  if (rejected) throw new Error(`event ${rejected.eventId}: ${rejected.result} ${rejected.reason ?? ''}`);
}
