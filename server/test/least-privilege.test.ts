import { spawn } from 'node:child_process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Db, sqlState } from '../src/database/connect.ts';
import { type TestServer, testServer } from './server.ts';
import { nodeArguments } from '../../testing/program.ts';
import { runHengtai } from './command-line.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());

const DENIED = '42501';

/** SQLSTATE of each statement, or `done`, on a connection that first tries to leave its role in every way. */
async function fetchSqlStates(db: Db, statements: readonly string[]): Promise<[string, string][]> {
  return db.connection().execute(async (connection) => {
    const codes: [string, string][] = [];
    for (const statement of statements) {
      for (const reset of ['set role none', 'reset role', 'reset session authorization']) {
        await sql.raw(reset).execute(connection);
      }
      const code = await sql
        .raw(`begin; set local app.scope = 'all'; ${statement}; rollback`)
        .execute(connection)
        .then(
          () => 'done',
          (error: unknown) => sqlState(error),
        );
      await sql.raw('rollback').execute(connection);
      codes.push([statement, code]);
    }
    return codes;
  });
}

const deniedStatements = [
  "copy (select 1) to program 'true'",
  "copy (select 1) to '/tmp/hengtai-must-not-exist'",
  "select pg_read_file('postgresql.conf')",
  'select * from pg_authid',
  'alter table entry add column more int',
  'alter table users disable row level security',
  'drop policy everything on users',
  'update entry set amount = amount',
  'delete from entry',
  'update audit set action = action',
  'delete from audit',
  'update audit_head set signature = signature',
  'update installation set four_eyes_locked_at = null',
  'truncate users',
  'create table mine (id int)',
  'create schema mine',
  'create role mine',
  'select pg_reload_conf()',
  'set session_replication_role = replica',
];

describe.each(['requests', 'system'] as const)('the connections for %s', (pool) => {
  test('use a role that owns nothing and cannot switch to another role', async () => {
    const { rows } = await sql<{ session: string; current: string; super: boolean }>`
      select session_user as session, current_user as current, rolsuper as super
      from pg_roles where rolname = session_user`.execute(server.app[pool]);
    const { role } = inject('cluster').login;
    expect(rows).toEqual([{ session: role, current: role, super: false }]);
    const owner = await server.query(sql<{ name: string }>`select current_user as name`);
    const roleChanges = [`set role ${owner[0]?.name}`, `set session authorization ${owner[0]?.name}`];
    expect(await fetchSqlStates(server.app[pool], roleChanges)).toEqual(
      roleChanges.map((statement) => [statement, DENIED]),
    );
  });

  test('are denied the rights of an owner or a superuser', async () => {
    expect(await fetchSqlStates(server.app[pool], deniedStatements)).toEqual(
      deniedStatements.map((statement) => [statement, DENIED]),
    );
    // As the owner the first of these succeeds, so the refusals come from missing rights.
    expect(
      await fetchSqlStates(server.owner, ['alter table entry add column more int', 'update entry set amount = amount']),
    ).toEqual([
      ['alter table entry add column more int', 'done'],
      ['update entry set amount = amount', 'done'],
    ]);
  });
});

/** Starts a server on a database URL. Resolves with its exit code and its output. */
function runServer(url: string): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const { DATABASE_APP_URL: _app, ...inherited } = process.env;
    const child = spawn(process.execPath, nodeArguments('server/src/programs/main.ts'), {
      env: {
        ...inherited,
        DATABASE_URL: url,
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

test('a server refuses to start with the owner role', async () => {
  expect(await runServer(server.urls.owner)).toMatchObject({
    code: 78,
    text: expect.stringContaining('a role that has too many privileges'),
  });
}, 60_000);

test.each(['contracts', 'audit', 'holds'])(
  'hengtai verify %s needs no more than the login role',
  async (check) => {
    const env = { DATABASE_URL: server.urls.app, AUDIT_DIR: server.auditDir };
    expect(await runHengtai(server, ['verify', check], env)).toMatchObject({ code: 0 });
  },
  60_000,
);
