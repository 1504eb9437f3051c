import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { ConfigurationError } from '../host/configuration-error.ts';
import { type KeyFormat, readKeyFile } from '../host/key-file.ts';
import { appRoleOf, retryOnCollision } from './migrate.ts';
import { writePrivate } from '../host/postgres-files.ts';

/** The PostgreSQL role that the server processes of one DATA_DIR log in as. It owns nothing. */
export interface DatabaseLogin {
  role: string;
  password: string;
}

export const DATABASE_LOGIN_FILE = 'database-login.json';

const loginFormat: KeyFormat<DatabaseLogin> = {
  expected: '{"role", "password"}',
  parse: ({ role, password }) =>
    typeof role === 'string' && typeof password === 'string' && role !== '' && password !== ''
      ? { role, password }
      : undefined,
  remedy: 'Restore it from a backup, or delete it: the next start makes a new role.',
};

/**
 * Reads the login role of a DATA_DIR, or generates one. Each DATA_DIR has its own role, so that several machines on one
 * database do not change each other's password.
 *
 * @throws Error if the file is damaged
 */
export function readOrMakeLogin(dataDir: string): DatabaseLogin {
  const path = join(dataDir, DATABASE_LOGIN_FILE);
  if (!existsSync(path)) {
    const generated: DatabaseLogin = {
      role: `hengtai_login_${randomBytes(4).toString('hex')}`,
      password: randomBytes(24).toString('hex'),
    };
    writePrivate(path, `${JSON.stringify(generated)}\n`);
  }
  return readKeyFile(path, loginFormat);
}

/** Replaces user and password of a database URL by those of the login role. */
export function loginUrlOf(url: string, { role, password }: DatabaseLogin): string {
  const result = new URL(url);
  result.username = encodeURIComponent(role);
  result.password = encodeURIComponent(password);
  // User and password in the query would override these.
  for (const name of ['user', 'password']) result.searchParams.delete(name);
  // PostgreSQL's own clients do not read "+" as a space.
  result.search = result.search.replaceAll('+', '%20');
  return result.toString();
}

/**
 * Ensures that the login role exists, has its password and is a member of the app role. Connects as the owner only if
 * something is missing. The database must be migrated.
 *
 * @param appRole default: `<database>_app`
 * @returns the URL of the database for the login role
 * @throws Error with the statements for an administrator if the owner may not create roles
 */
export async function ensureLogin(ownerUrl: string, login: DatabaseLogin, appRole?: string): Promise<string> {
  const url = loginUrlOf(ownerUrl, login);
  const app = appRole ?? appRoleOf(decodeURIComponent(new URL(ownerUrl).pathname.slice(1)));
  if (await canServe(url, app).catch(() => false)) return url;
  await retryOnCollision(() => createLogin(ownerUrl, login, app));
  let works: boolean;
  try {
    works = await canServe(url, app);
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses the role ${login.role} that the server logs in as (${messageOf(error)}). ` +
        `Allow it in pg_hba.conf with a password (scram-sha-256), or set DATABASE_APP_URL. 数据库拒绝登录角色。`,
      { cause: error },
    );
  }
  if (!works)
    throw new Error(`The role ${login.role} does not inherit the privileges of ${app}: drop it and start again.`);
  return url;
}

async function canServe(url: string, app: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ usable: boolean }>(
      `select coalesce((select pg_has_role(oid, 'USAGE') from pg_roles where rolname = $1), false) as usable`,
      [app],
    );
    return rows[0]?.usable ?? false;
  });
}

async function createLogin(ownerUrl: string, login: DatabaseLogin, app: string): Promise<void> {
  const role = escapeIdentifier(login.role);
  await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ app: boolean; login: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as app,
        exists (select from pg_roles where rolname = $2) as login`,
      [app, login.role],
    );
    if (!rows[0]?.app) throw new Error('The database is not set up: start HengTai on it once. 数据库尚未初始化。');
    const verb = rows[0].login ? 'alter' : 'create';
    try {
      await client.query(`${verb} role ${role} login password ${escapeLiteral(scramVerifier(login.password))}`);
      await client.query(`grant ${escapeIdentifier(app)} to ${role}`);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== '42501') throw error;
      throw new Error(
        `The database user may not create the role that the server logs in as. Let an administrator run once: ` +
          `create role ${role} login password '<the password in DATA_DIR/${DATABASE_LOGIN_FILE}>'; ` +
          `grant ${escapeIdentifier(app)} to ${role}; (see docs/operations.md). 数据库用户无权创建登录角色。`,
        { cause: error },
      );
    }
  });
}

/** Computes the stored form of a password (RFC 5803), so that a statement log does not contain the password. */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

interface Power {
  role: string;
  power: string;
}

/**
 * Selects a role with too many privileges among those that the session can become. Starts from `session_user`, because
 * `set role none` returns to it.
 */
const POWERS = `
  select r.rolname as role, case
      when r.rolsuper then 'is a superuser'
      when r.rolbypassrls then 'bypasses row-level security'
      when r.rolcreaterole then 'may create roles'
      when r.rolcreatedb then 'may create databases'
      when r.rolreplication then 'may replicate'
      when r.rolname like 'pg\\_%' then 'is a predefined role of PostgreSQL'
      else 'owns objects of the database' end as power
  from pg_roles r
  where pg_has_role(session_user, r.oid, 'MEMBER')
    and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolname like 'pg\\_%'
      or exists (select from pg_database d where d.datname = current_database() and d.datdba = r.oid)
      or exists (select from pg_namespace n where n.nspowner = r.oid)
      or exists (select from pg_class c where c.relowner = r.oid)
      or exists (select from pg_proc p where p.proowner = r.oid))
  order by r.rolname = session_user desc, r.rolname limit 1`;

/**
 * Checks that the login role has no more privileges than the server needs.
 *
 * @throws ConfigurationError if the role has, or can obtain by `set role`, a privilege such as superuser or ownership of a table
 */
export async function checkPrivileges(url: string): Promise<void> {
  const [found] = await withClient(url, async (client) => (await client.query<Power>(POWERS)).rows);
  if (!found) return;
  throw new ConfigurationError(
    `The server does not log in to the database with a role that has too many privileges: ${found.role} ${found.power}. ` +
      `Start it by "npm start", which creates a login role, or name one in DATABASE_APP_URL. 数据库角色权限过大。`,
  );
}

/**
 * Checks that a login role reaches the tables of the installation.
 *
 * @throws ConfigurationError for another database, and for a role without the privileges of the servers
 */
export async function checkGrant(url: string): Promise<void> {
  const [found] = await withClient(url, async (client) => {
    const { rows } = await client.query<{ database: string; role: string; isInstalled: boolean; isGranted: boolean }>(`
      select current_database() as database, session_user as role, to_regclass('schema_migration') is not null as "isInstalled",
        coalesce(has_table_privilege(to_regclass('schema_migration'), 'select'), false) as "isGranted"`);
    return rows;
  });
  if (!found || found.isGranted) return;
  throw new ConfigurationError(
    found.isInstalled
      ? `The role ${found.role} lacks the privileges of the servers: run "grant ${appRoleOf(found.database)} to ${found.role}". 数据库权限不足。`
      : `DATABASE_APP_URL leads to the database ${found.database}, which has no tables of HengTai. 数据库不符。`,
  );
}

const fetchPid = async (client: Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

/**
 * Checks that a connection keeps its session. Settings of the pools belong to sessions, so behind a pooler that shares
 * sessions between clients the background jobs would see no rows.
 *
 * @param pidOf returns the session of a connection, as the process id of its backend
 * @throws ConfigurationError behind a pooler in transaction mode
 */
export async function checkSession(url: string, pidOf = fetchPid): Promise<void> {
  await withClient(url, (one) =>
    withClient(url, async (other) => {
      const before = await pidOf(one);
      // In transaction mode the other client takes the session that the first has just released.
      await other.query('begin');
      await pidOf(other);
      const after = await pidOf(one);
      await other.query('rollback');
      if (before === after) return;
      throw new ConfigurationError(
        `DATABASE_APP_URL leads to a pooler that shares sessions between its clients. ` +
          `Set pool_mode = session for this database in pgbouncer.ini. 连接池必须使用 session 模式。`,
      );
    }),
  );
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'hengtai-login' });
  // A broken connection fails the next query; without a listener the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
