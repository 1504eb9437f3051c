// @module-tag full
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runHengtai } from '../../test/command-line.ts';
import { emptyDatabase, queryAt, testDatabase } from '../../test/database.ts';
import { makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, login, testServer } from '../../test/server.ts';
import { openPool } from '../database/connect.ts';
import type { Finding } from './finding.ts';

let server: TestServer;
let admin: string;
let folder: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  folder = mkdtempSync(join(tmpdir(), 'command-line-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('exit codes', () => {
  test.each([
    [['--help'], 0, 'Exit codes: 0 done'],
    [['version'], 0, 'Node.js'],
    [[], 2, 'Usage: hengtai'],
    [['bakcup'], 2, "unknown command 'bakcup'"],
    [['restore'], 2, "missing required argument 'folder'"],
    [['backup'], 78, 'There is no database in'],
  ])('hengtai %s ends with %i', async (args, code, text) => {
    expect(await runCommand(args, { DATA_DIR: join(folder, 'none') })).toMatchObject({
      code,
      text: expect.stringContaining(text) as string,
    });
  });

  test('a wrong variable and a damaged file end with 78 and name what to correct', async () => {
    const damaged = mkdtempSync(join(folder, 'damaged-'));
    writeFileSync(join(damaged, 'database-login.json'), '{');
    expect(await runHengtai(server, ['verify', 'holds'], { PORT: 'x' })).toMatchObject({
      code: 78,
      text: expect.stringContaining('PORT=x is not accepted') as string,
    });
    expect(await runHengtai(server, ['verify', 'holds'], { DATA_DIR: damaged, DATABASE_APP_URL: '' })).toMatchObject({
      code: 78,
      text: expect.stringContaining('database-login.json is damaged') as string,
    });
  });

  test.each([
    ['a backup below a file', ['backup', `${process.execPath}/copy`], 1, `Cannot create ${process.execPath}/copy`],
    [
      'a file in a missing folder',
      ['support-bundle', '/none/bundle.json'],
      1,
      'Cannot open /none/bundle.json (ENOENT)',
    ],
    ['heads that do not exist', ['verify', 'audit', '--heads', '/none/heads'], 2, 'Cannot open /none/heads (ENOENT)'],
    ['a file without heads', ['verify', 'audit', '--heads', 'package.json'], 2, 'holds no signed heads'],
    ['a key that is none', ['verify', 'audit', '--key', 'zzz'], 2, '--key zzz is neither a fingerprint'],
  ])('%s ends with one sentence', async (_case, args, code, text) => {
    const result = await runHengtai(server, args, { PORT: '1' });
    expect(result).toMatchObject({ code, text: expect.stringContaining(text) as string });
    expect(result.text).not.toContain('Error:');
  });

  test('an empty database and a missing DATA_DIR end with 78 and say so', async () => {
    const database = await emptyDatabase();
    const env = { DATABASE_URL: database.url, DATA_DIR: folder };
    expect(await runCommand(['backup', join(folder, 'of-nothing')], env)).toMatchObject({
      code: 78,
      text: expect.stringContaining('The database is empty') as string,
    });
    const missing = { ...env, DATA_DIR: join(folder, 'missing') };
    expect(await runCommand(['operator', 'reset', 'admin'], missing)).toMatchObject({
      code: 78,
      text: expect.stringContaining('missing does not exist') as string,
    });
    await database.drop();
  });

  test('a database of a newer release ends with 78, unless it serves this release', async () => {
    const database = await testDatabase();
    const run = () => runCommand(['migrate'], { DATABASE_URL: database.url, DATA_DIR: folder });
    const newer = `insert into schema_migration values (9999, '9999-of-tomorrow', 'x', 0)`;
    await queryAt(database.url, newer);
    expect(await run()).toMatchObject({
      code: 0,
      text: expect.stringContaining('The schema is newer (9999-of-tomorrow) and serves this release.') as string,
    });
    await queryAt(database.url, 'update schema_migration set serves_from = 9999 where version = 9999');
    expect(await run()).toMatchObject({ code: 78, text: expect.stringContaining('9999-of-tomorrow') as string });
    await database.drop();
  });
});

describe('hengtai doctor', () => {
  const run = async (env: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; findings: Finding[] }> => {
    const { code, text } = await runHengtai(server, ['doctor', '--json'], { PORT: '1', ...env });
    return { code, findings: JSON.parse(text) as Finding[] };
  };
  const stateOf = (findings: readonly Finding[], check: string) =>
    findings.filter((finding) => finding.check === check).map(({ state }) => state);

  test('checks a database that is in order, and names what is not', async () => {
    const { findings } = await run();
    for (const check of [
      'environment',
      'key files',
      'keys',
      'database',
      'encoding',
      'clock',
      'schema',
      'servers',
      'server role',
    ])
      expect([check, ...stateOf(findings, check)]).toEqual([check, 'ok']);
    expect(stateOf(findings, 'four-eyes')).toEqual(['warning']);
    expect(stateOf(findings, 'backup')).toEqual(['warning']);
  });

  test('warns of pending migrations and reports a schema that was changed', async () => {
    const [last] = await server.query(sql<{ version: number; checksum: string }>`
      select version, checksum from schema_migration order by version desc limit 1`);
    if (!last) throw new Error('no migration');
    const change = (checksum: string) =>
      server.query(sql`update schema_migration set checksum = ${checksum} where version = ${last.version}`);
    await change('other');
    const { code, findings } = await run();
    expect(code).toBe(1);
    expect(stateOf(findings, 'schema')).toEqual(['problem']);
    await change(last.checksum);
  });

  test('reports a database that does not answer, and a port that another program uses', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, findings } = await run({
      DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c',
      PORT: String(port),
    });
    expect(code).toBe(1);
    expect(stateOf(findings, 'database')).toEqual(['problem']);
    expect(stateOf(findings, 'port')).toEqual(['problem']);
    other.close();
    expect(findings.every(({ state, advice }) => (state === 'ok') === (advice === undefined))).toBe(true);
  });
});

test('migrate --plan lists what would be applied and who is connected, and changes nothing', async () => {
  const database = await emptyDatabase();
  const env = { DATABASE_URL: database.url, DATA_DIR: folder };
  const plan = await runCommand(['migrate', '--plan'], env);
  expect(plan).toMatchObject({ code: 0, text: expect.stringContaining('  0001-operators') as string });
  expect((await runCommand(['migrate'], env)).text).toContain('Applying 0001-operators …');
  expect((await runCommand(['migrate', '--plan'], env)).text).toContain('The schema is that of this release.');
  const { db, end } = openPool({ url: database.url, max: 1, name: 'hengtai-requests', onError: () => undefined });
  await sql`select 1`.execute(db);
  expect((await runCommand(['migrate', '--plan'], env)).text).toContain('已连接: hengtai-requests');
  await end();
  await database.drop();
});

test('a backup is remembered for doctor', async () => {
  const dataDir = mkdtempSync(join(folder, 'backup-'));
  const env = { DATA_DIR: dataDir, AUDIT_DIR: server.auditDir };
  expect(await runHengtai(server, ['backup', join(folder, 'copy')], env)).toMatchObject({ code: 0 });
  const { text } = await runHengtai(server, ['doctor', '--json'], { ...env, PORT: '1' });
  expect((JSON.parse(text) as Finding[]).find(({ check }) => check === 'backup')?.state).toBe('ok');
});

test('verify runs every check, also after one has failed', async () => {
  const run = () => runHengtai(server, ['verify'], { AUDIT_DIR: server.auditDir });
  expect(await run()).toMatchObject({ code: 0 });
  const user = await makeUser(server, { amount: '500' });
  await makeWithdraw(server, admin, user);
  const freeze = (by: string) =>
    server.query(sql`update account a set balance = a.balance + ${by}::numeric from users u
      where u.id = a.user_id and u.account = ${user} and a.bucket = 'frozen'`);
  await freeze('0.5');
  const { code, text } = await run();
  expect(code).toBe(1);
  for (const part of ['audit chain', 'DIFFERENCES between frozen', 'ended contracts', 'counters'])
    expect(text).toContain(part);
  await freeze('-0.5');
});

test('the support bundle holds neither people nor addresses nor secrets', async () => {
  const user = await makeUser(server, { amount: '500', account: 'zhang.wei.private' });
  const { account } = await makeOperator(server, admin, { account: 'li.na.private' });
  const file = join(folder, 'bundle.json');
  const env = { ADMIN_PASSWORD: 'a-secret-password', PUBLIC_URL: 'https://desk.example.com', PORT: '1' };
  expect(await runHengtai(server, ['support-bundle', file], env)).toMatchObject({ code: 0 });
  const text = readFileSync(file, 'utf8');
  const { host, password } = new URL(server.urls.app);
  for (const secret of [user, account, 'a-secret-password', 'desk.example.com', password, host])
    expect(text).not.toContain(secret);
  const bundle = JSON.parse(text) as {
    variables: object;
    database: { tables: { name: string }[]; migrations: object[] };
  };
  expect(bundle.variables).toMatchObject({ ADMIN_PASSWORD: 'set', PUBLIC_URL: 'set', PORT: '1' });
  expect(bundle.database.tables.map(({ name }) => name)).toContain('withdraw');
  expect(bundle.database.migrations.length).toBeGreaterThan(0);
});
