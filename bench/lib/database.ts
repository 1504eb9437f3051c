import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { Client } from 'pg';
import { type Db, openPool } from '../../server/src/db/connect.ts';
import { startEmbedded } from '../../server/src/db/embedded.ts';
import { ensureLogin, readOrMakeLogin } from '../../server/src/db/login.ts';
import { isAlive } from '../../server/src/db/postmaster.ts';
import { setup } from '../../server/src/setup.ts';

export const ADMIN = { account: 'admin', password: 'bench-password' } as const;

const PREFIX = 'hengtai-bench-';

/** A set-up database of this run alone, with everything forced to the disk as in an installation. */
export interface BenchDatabase {
  /** As the owner: for loading data, for looking at what was done, and for statements without row-level security. */
  db: Db;
  ownerUrl: string;
  /** As the role that the server logs in as. */
  appUrl: string;
  /** A directory that goes with the database. */
  directory: string;
  query<T>(statement: RawBuilder<T>): Promise<T[]>;
  drop(): Promise<void>;
}

/** A new database on the PostgreSQL that DATABASE_URL names, or a PostgreSQL of its own that is gone at the end. */
export async function benchDatabase(): Promise<BenchDatabase> {
  removeLeftovers();
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const external = process.env['DATABASE_URL'];
  const place = external ? await createIn(external) : await startOwn(directory);
  await setup({
    databaseUrl: place.url,
    adminAccount: ADMIN.account,
    adminPassword: ADMIN.password,
    simulator: false,
  });
  const login = readOrMakeLogin(directory);
  const appUrl = await ensureLogin(place.url, login);
  const owner = openPool({ url: place.url, max: 4, name: 'bench-owner', onError: () => undefined });
  const drop = async (): Promise<void> => {
    await owner.end();
    await place.end();
    if (external) await runOn(external, [`drop role if exists ${login.role}`]);
    rmSync(directory, { recursive: true, force: true });
  };
  let dropping: Promise<void> | undefined;
  return {
    db: owner.db,
    ownerUrl: place.url,
    appUrl,
    directory,
    query: async (statement) => (await statement.execute(owner.db)).rows,
    // A run that is stopped may ask for it twice.
    drop: () => (dropping ??= drop()),
  };
}

/** A database in a directory of its own that stays there, with its PostgreSQL running until `drop`, which only ends it. */
export async function keptDatabase(directory: string): Promise<BenchDatabase> {
  const place = await startOwn(directory);
  await setup({
    databaseUrl: place.url,
    adminAccount: ADMIN.account,
    adminPassword: ADMIN.password,
    simulator: false,
  });
  const appUrl = await ensureLogin(place.url, readOrMakeLogin(directory));
  const settings = { jit: 'off', 'app.scope': 'all' };
  const owner = openPool({ url: place.url, max: 4, name: 'bench-owner', settings, onError: () => undefined });
  return {
    db: owner.db,
    ownerUrl: place.url,
    appUrl,
    directory,
    query: async (statement) => (await statement.execute(owner.db)).rows,
    drop: async () => {
      await owner.end();
      await place.end();
    },
  };
}

/** Before a timed round: nothing that an earlier round left to be written to the disk falls into it. */
export async function settle({ db }: BenchDatabase): Promise<void> {
  // Not every owner may ask for a checkpoint.
  await sql`checkpoint`.execute(db).catch(() => undefined);
}

/** After loading: the planner knows the data, and no vacuum of it starts in the middle of a round. */
export async function afterLoad(database: BenchDatabase): Promise<void> {
  await sql`vacuum analyze`.execute(database.db);
  await settle(database);
}

interface Place {
  url: string;
  end(): Promise<void>;
}

async function startOwn(directory: string): Promise<Place> {
  const log = (message: string): void => void process.stderr.write(`${message}\n`);
  const embedded = await startEmbedded({ dataDir: join(directory, 'data'), log });
  return { url: embedded.url, end: () => embedded.stop() };
}

async function createIn(baseUrl: string): Promise<Place> {
  const name = `hengtai_bench_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runOn(baseUrl, [`create database ${name}`]);
  const url = new URL(baseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    end: () => runOn(baseUrl, [`drop database if exists ${name} with (force)`, `drop role if exists ${name}_app`]),
  };
}

async function runOn(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** What a run left that was killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
