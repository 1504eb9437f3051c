// @module-tag full
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { queryAt } from '../../test/database.ts';
import {
  checkGrant,
  checkPrivileges,
  type DatabaseLogin,
  DATABASE_LOGIN_FILE,
  ensureLogin,
  loginUrlOf,
  readOrMakeLogin,
} from './login.ts';
import { migrate } from './migrate.ts';

const { baseUrl, clonePrefix } = inject('cluster');
const name = `${clonePrefix}login`;
const app = `${name}_app`;
const owner = `${name}_owner`;
const other = `${name}_other`;
let admin: Client;
let directory: string;
let login: DatabaseLogin;

function urlOf(database: string, user?: string): string {
  const result = new URL(baseUrl);
  result.pathname = `/${database}`;
  if (user !== undefined) {
    result.username = user;
    result.password = 'test';
  }
  return result.toString();
}

beforeAll(async () => {
  admin = new Client({ connectionString: baseUrl });
  await admin.connect();
});
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'login-'));
  login = readOrMakeLogin(directory);
  await admin.query(`create role ${owner} login createrole password 'test'`);
  await admin.query(`create database ${name} owner ${owner}`);
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await admin.query(`drop database ${name} with (force)`);
  for (const role of [login.role, app, owner, other]) await admin.query(`drop role if exists ${role}`);
});
afterAll(() => admin.end());

test('role and password are random and stored in a file of mode 600', () => {
  const other = mkdtempSync(join(tmpdir(), 'login-'));
  const generated = readOrMakeLogin(other);
  expect(readOrMakeLogin(other)).toEqual(generated);
  expect(generated.role).not.toBe(login.role);
  expect(generated.password).toMatch(/^[0-9a-f]{48}$/);
  expect(statSync(join(other, DATABASE_LOGIN_FILE)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(other, DATABASE_LOGIN_FILE), 'utf8'))).toEqual(generated);
  rmSync(other, { recursive: true });
});

test('an owner that may create roles creates the login role with the privileges of the app role only', async () => {
  const url = urlOf(name, owner);
  await expect(ensureLogin(url, login)).rejects.toThrow('The database is not set up');
  await migrate(url);
  const [one, other] = await Promise.all([ensureLogin(url, login), ensureLogin(url, login)]);
  expect(one).toBe(other);
  expect(await queryAt(one, 'select session_user as s, current_user as c')).toEqual([{ s: login.role, c: login.role }]);
  expect(await queryAt(one, 'select count(*)::int as n from users')).toEqual([{ n: 0 }]);
  await checkPrivileges(one);
  await expect(checkPrivileges(url)).rejects.toThrow(`${owner} may create roles`);
  await expect(checkPrivileges(urlOf(name))).rejects.toThrow('is a superuser');
});

test('refuses a role without the privileges of the servers, and another database', async () => {
  const url = urlOf(name, owner);
  await migrate(url);
  const loginUrl = await ensureLogin(url, login);
  await checkGrant(loginUrl);
  await admin.query(`revoke ${app} from ${login.role} granted by ${owner}`);
  await expect(checkGrant(loginUrl)).rejects.toThrow(`run "grant ${app} to ${login.role}"`);
  await expect(checkGrant(baseUrl)).rejects.toThrow('has no tables of HengTai');
});

test('a database that cannot be used is refused in one sentence', async () => {
  await admin.query(`create role ${other} login password 'test'`);
  await expect(migrate(urlOf(name, other))).rejects.toThrow(`The role ${other} may not create tables`);
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  await expect(migrate(urlOf(name, owner))).rejects.toThrow('The database accepts no writes');
  const ascii = `${name}_ascii`;
  await admin.query(`create database ${ascii} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`);
  await expect(migrate(urlOf(ascii))).rejects.toThrow('has the encoding SQL_ASCII');
  await admin.query(`drop database ${ascii}`);
});

test('replaces a lost password and restores a revoked membership', async () => {
  const url = urlOf(name, owner);
  await migrate(url);
  await ensureLogin(url, login);
  const renewed = { ...login, password: 'another-password' };
  await expect(queryAt(loginUrlOf(url, renewed), 'select 1')).rejects.toThrow('password authentication failed');
  expect(await queryAt(await ensureLogin(url, renewed), 'select 1 as one')).toEqual([{ one: 1 }]);
  await admin.query(`revoke ${app} from ${login.role}`);
  await queryAt(await ensureLogin(url, renewed), 'select from users');
});

test('an owner that may not create roles gets the statements to run, which are sufficient', async () => {
  await migrate(urlOf(name, owner));
  await admin.query(`alter role ${owner} nocreaterole`);
  const url = urlOf(name, owner);
  await expect(ensureLogin(url, login)).rejects.toThrow(
    `Let an administrator run once: create role "${login.role}" login password`,
  );
  await admin.query(
    `create role "${login.role}" login password '${login.password}'; grant "${app}" to "${login.role}"`,
  );
  expect(await queryAt(await ensureLogin(url, login), 'select session_user as s')).toEqual([{ s: login.role }]);
});

test('rejects a role that can become a more powerful one', async () => {
  const url = urlOf(name, owner);
  await migrate(url);
  const loginUrl = await ensureLogin(url, login);
  await admin.query(`grant pg_execute_server_program to ${login.role}`);
  await expect(checkPrivileges(loginUrl)).rejects.toThrow('pg_execute_server_program is a predefined role');
  await admin.query(`revoke pg_execute_server_program from ${login.role}; create role ${other}`);
  await queryAt(urlOf(name), `create table kept (id int); alter table kept owner to ${other}`);
  await checkPrivileges(loginUrl);
  await admin.query(`grant ${other} to ${login.role}`);
  await expect(checkPrivileges(loginUrl)).rejects.toThrow(`${other} owns objects of the database`);
});

test('the login url keeps host and options of the owner url', () => {
  const ownerUrl = 'postgres://me:pw@localhost/x?host=%2Frun%2Fy&options=-c%20jit%3Doff&user=you&password=other';
  const result = new URL(loginUrlOf(ownerUrl, { role: 'odd name', password: 'a/b' }));
  expect(result.search).not.toContain('+');
  expect([result.username, result.password, result.pathname]).toEqual(['odd%20name', 'a%2Fb', '/x']);
  expect(Object.fromEntries(result.searchParams)).toEqual({ host: '/run/y', options: '-c jit=off' });
});
