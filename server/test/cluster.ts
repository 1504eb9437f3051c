import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/embedded/embedded.ts';
import { type DatabaseLogin, ensureLogin } from '../src/database/login.ts';
import { migrate } from '../src/database/migrate.ts';
import { migrationsHash } from '../src/database/migration-files.ts';
import { isAlive } from '../src/embedded/postmaster.ts';
import { setup as setUp } from '../src/programs/setup.ts';
import { ADMIN, CHEAPEST } from './admin.ts';

/** What a test file needs to create its own database (see database.ts). */
export interface TestCluster {
  /** URL of a database whose user may create databases. */
  baseUrl: string;
  /** Migrated, empty database that tests clone, and the role that holds the server's rights in every clone. */
  template: string;
  appRole: string;
  /** Database of an installation after its first start, which test servers clone. */
  started: string;
  /** Role of this test run that the servers under test log in as. */
  login: DatabaseLogin;
  /** Clones carry the prefix of the run, so that a later run can drop those of a killed one. */
  clonePrefix: string;
  /** Directory of the installation that tests copy (see installation.ts). */
  installation: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

const host = hostname().replaceAll(/\W/g, '').toLowerCase().slice(0, 16);
const directoryPrefix = 'hengtai-test-';
const clonePrefix = `hengtai_test_${host}_`;

/** Provides one PostgreSQL for the whole run: a temporary one, or the server in DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers();
  const external = process.env['DATABASE_URL'];
  const embedded = external ? undefined : await startThrowaway();
  const baseUrl = external ?? embedded?.url ?? '';
  const template = `hengtai_template_${migrationsHash()}`;
  const appRole = `${template}_app`;
  const login = { role: `${clonePrefix}${process.pid}_login`, password: randomBytes(24).toString('hex') };
  await withClient(baseUrl, async (client) => {
    await dropLeftovers(client);
    await makeTemplate(client, baseUrl, template, appRole);
  });
  await ensureLogin(baseUrl, login, appRole);
  const started = `${clonePrefix}${process.pid}_started`;
  await makeStarted(baseUrl, started, template, appRole);
  const installation = join(tmpdir(), `${directoryPrefix}${process.pid}-installation`);
  const prefix = `${clonePrefix}${process.pid}_`;
  project.provide('cluster', { baseUrl, template, appRole, started, login, clonePrefix: prefix, installation });
  return async () => {
    await withClient(baseUrl, async (client) => {
      await client.query(`drop database ${started} with (force)`);
      await client.query(`drop role ${escapeIdentifier(login.role)}`);
    });
    await embedded?.stop();
    rmSync(installation, { recursive: true, force: true });
  };
}

/** The first data is of this run, because the code that inserts it may differ from that of the run before. */
async function makeStarted(baseUrl: string, name: string, template: string, appRole: string): Promise<void> {
  await withClient(baseUrl, (client) => client.query(`create database ${name} template ${template}`));
  const url = new URL(baseUrl);
  url.pathname = `/${name}`;
  await setUp({
    databaseUrl: url.toString(),
    adminAccount: ADMIN.account,
    adminPassword: ADMIN.password,
    simulator: false,
    migrate: { appRole },
  });
  const passwordHash = await hash(ADMIN.password, CHEAPEST);
  await withClient(url.toString(), (client) => client.query('update agent set password_hash = $1', [passwordHash]));
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Removes the directories of runs that no longer exist. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${directoryPrefix}(\\d+)-`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

async function startThrowaway(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), `${directoryPrefix}${process.pid}-`));
  return startEmbedded({ dataDir, isThrowaway: true, log: (message) => process.stderr.write(`${message}\n`) });
}

/** Drops clones and roles of runs that no longer exist. Killed runs leave them on an external server. */
async function dropLeftovers(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [clonePrefix],
  );
  const isLeftover = (name: string): boolean => !isAlive(Number(name.slice(clonePrefix.length).split('_')[0]));
  for (const { name } of rows) {
    if (isLeftover(name)) await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
  }
  const roles = await client.query<{ name: string }>(
    `select rolname as name from pg_roles where starts_with(rolname, $1) and rolname like '%\\_login'`,
    [clonePrefix],
  );
  for (const { name } of roles.rows) {
    if (isLeftover(name)) await client.query(`drop role if exists ${escapeIdentifier(name)}`);
  }
}

/** Migrates under a temporary name and renames, so that a template under its final name is always complete. */
async function makeTemplate(client: Client, baseUrl: string, template: string, appRole: string): Promise<void> {
  const existing = await client.query('select 1 from pg_database where datname = $1', [template]);
  if (existing.rowCount) return;
  const draft = `${clonePrefix}${process.pid}_template`;
  await client.query(`create database ${draft}`);
  const url = new URL(baseUrl);
  url.pathname = `/${draft}`;
  await migrate(url.toString(), { appRole });
  try {
    await client.query(`alter database ${draft} rename to ${template}`);
  } catch (error) {
    await client.query(`drop database if exists ${draft} with (force)`);
    // A parallel run has created the same template in the meantime.
    if (!(error instanceof DatabaseError) || error.code !== '42P04') throw error;
  }
}
