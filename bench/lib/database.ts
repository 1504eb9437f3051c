import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { Client } from 'pg';
import { type Db, openPool } from '../../server/src/database/connect.ts';
import { startEmbedded } from '../../server/src/embedded/embedded.ts';
import { ensureLogin, readOrMakeLogin } from '../../server/src/database/login.ts';
import { isAlive } from '../../server/src/embedded/postmaster.ts';
import { setup } from '../../server/src/programs/setup.ts';

export const ADMIN = { account: 'admin', password: 'bench-password' } as const;

const PREFIX = 'hengtai-bench-';

/** A database for one run, set up like an installation and with synchronous commits. */
export interface BenchDatabase {
  /** Connected as the owner: loads data, verifies results, and runs statements without row-level security. */
  db: Db;
  ownerUrl: string;
  /** Logs in with the role of the server. */
  appUrl: string;
  /** A directory that is deleted with the database. */
  directory: string;
  query<T>(statement: RawBuilder<T>): Promise<T[]>;
  drop(): Promise<void>;
}

/** Creates a database on the server of DATABASE_URL, or starts a temporary PostgreSQL. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  removeLeftovers();
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const external = process.env['DATABASE_URL'];
  const server = external ? await createDatabase(external) : await startTemporary(directory);
  await setup({
    databaseUrl: server.url,
    adminAccount: ADMIN.account,
    adminPassword: ADMIN.password,
    simulator: false,
  });
  const login = readOrMakeLogin(directory);
  const appUrl = await ensureLogin(server.url, login);
  const owner = openPool({ url: server.url, max: 4, name: 'bench-owner', onError: () => undefined });
  const drop = async (): Promise<void> => {
    await owner.end();
    await server.end();
    if (external) await runStatements(external, [`drop role if exists ${login.role}`]);
    rmSync(directory, { recursive: true, force: true });
  };
  let dropping: Promise<void> | undefined;
  return {
    db: owner.db,
    ownerUrl: server.url,
    appUrl,
    directory,
    query: async (statement) => (await statement.execute(owner.db)).rows,
    // An interrupted run calls it twice.
    drop: () => (dropping ??= drop()),
  };
}

/** Opens a database in a directory that keeps its data. Its `drop` only stops PostgreSQL. */
export async function openPersistentDatabase(directory: string): Promise<BenchDatabase> {
  const server = await startTemporary(directory);
  await setup({
    databaseUrl: server.url,
    adminAccount: ADMIN.account,
    adminPassword: ADMIN.password,
    simulator: false,
  });
  const appUrl = await ensureLogin(server.url, readOrMakeLogin(directory));
  const settings = { jit: 'off', 'app.scope': 'all' };
  const owner = openPool({ url: server.url, max: 4, name: 'bench-owner', settings, onError: () => undefined });
  return {
    db: owner.db,
    ownerUrl: server.url,
    appUrl,
    directory,
    query: async (statement) => (await statement.execute(owner.db)).rows,
    drop: async () => {
      await owner.end();
      await server.end();
    },
  };
}

/** Writes dirty pages to disk, so that a timed round does not pay for the writes of an earlier one. */
export async function checkpoint({ db }: BenchDatabase): Promise<void> {
  // The owner of an external database may lack the permission.
  await sql`checkpoint`.execute(db).catch(() => undefined);
}

/** Call after loading data: updates the planner's statistics and keeps autovacuum out of the timed rounds. */
export async function vacuumAndAnalyze(database: BenchDatabase): Promise<void> {
  await sql`vacuum analyze`.execute(database.db);
  await checkpoint(database);
}

interface PostgresServer {
  url: string;
  end(): Promise<void>;
}

async function startTemporary(directory: string): Promise<PostgresServer> {
  const log = (message: string): void => void process.stderr.write(`${message}\n`);
  const embedded = await startEmbedded({ dataDir: join(directory, 'data'), log });
  return { url: embedded.url, end: () => embedded.stop() };
}

async function createDatabase(baseUrl: string): Promise<PostgresServer> {
  const name = `hengtai_bench_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(baseUrl, [`create database ${name}`]);
  const url = new URL(baseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    end: () =>
      runStatements(baseUrl, [`drop database if exists ${name} with (force)`, `drop role if exists ${name}_app`]),
  };
}

async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Removes the directories of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
