// @module-tag full
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { sql } from 'kysely';
import { type TestDatabase, queryAt, testDatabase } from '../../test/database.ts';
import { makeUser } from '../../test/factories.ts';
import { type TestServer, login, testServer } from '../../test/server.ts';
import { makeBackup } from './backup.ts';
import { type Manifest, digestOf, filePath, manifestPath, tablePath } from './manifest.ts';
import { restoreBackup } from './restore.ts';

// A backup that somebody else has changed, with every digest computed again.

let server: TestServer;
let genuine: string;
let database: TestDatabase;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hengtai-hostile-'));
  server = await testServer();
  await login(server);
  await makeUser(server, { amount: '1234.5' });
  await vi.waitFor(
    async () => {
      expect(await server.query(sql<{ n: number }>`select count(*) as n from audit_pending`)).toEqual([{ n: 0 }]);
      // The copies of a head follow its commit, this one last.
      expect(existsSync(String(server.app.auditKey.lastHeadFile))).toBe(true);
    },
    { timeout: 60_000, interval: 20 },
  );
  genuine = join(root, 'genuine');
  const { auditDir } = server;
  const { proof } = await makeBackup({
    databaseUrl: server.urls.owner,
    dataDir: auditDir,
    auditDir,
    folder: genuine,
    now: 1,
  });
  expect(proof).toMatchObject({ faults: [], chain: { ok: true, sealed: 1 } });
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

interface Copy {
  folder: string;
  manifest: Manifest;
}
type Change = (copy: Copy) => void | Promise<void>;

/** A copy of the genuine backup, or of its manifest alone, with a change. The manifest is written after the change. */
async function forge(change: Change, part: 'whole' | 'manifest' = 'whole'): Promise<string> {
  const folder = await mkdtemp(join(root, 'copy-'));
  if (part === 'whole') await cp(genuine, folder, { recursive: true });
  const manifest = JSON.parse(await readFile(manifestPath(genuine), 'utf8')) as Manifest;
  await change({ folder, manifest });
  await writeFile(manifestPath(folder), JSON.stringify(manifest));
  return folder;
}

const tableOf = ({ manifest }: Copy, name: string) => {
  const found = manifest.tables.find(({ table }) => table === name);
  if (!found) throw new Error(`no table ${name}`);
  return found;
};

/** Rewrites the lines of a table, with their number and digest. */
async function rewrite(copy: Copy, name: string, change: (lines: string[]) => string[]): Promise<void> {
  const path = tablePath(copy.folder, name);
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n')
    .slice(0, -1);
  const changed = change(lines);
  expect(changed).not.toEqual(lines);
  const text = Buffer.from(changed.map((line) => `${line}\n`).join(''));
  await writeFile(path, gzipSync(text));
  Object.assign(tableOf(copy, name), { rows: changed.length, sha256: digestOf(text) });
}

async function restore(folder: string, databaseUrl = database.url): Promise<string> {
  const at = await mkdtemp(join(root, 'data-'));
  await restoreBackup({
    databaseUrl,
    dataDir: at,
    auditDir: at,
    folder,
    migrate: { appRole: inject('cluster').appRole },
  });
  return at;
}

/** Nobody listens there: what is refused before a connection needs none. */
const NOWHERE = 'postgres://nobody@127.0.0.1:9/nothing';

describe('a manifest is refused before anything is read, written or connected', () => {
  const paths = [
    '../outside.json',
    '../../outside.json',
    '/outside.json',
    'audit-key.json/../../outside.json',
    'x.json',
  ];
  const names = ['../users', 'users"; drop table users; --', 'public.users', 'Users', 'users\u0000', ''];
  const changes: [string, Change, string][] = [
    ...paths.map((name): [string, Change, string] => [
      `the file ${name}`,
      ({ manifest: { files } }) => void files.push({ name: name as never, sha256: '0'.repeat(64) }),
      '/files/',
    ]),
    ...names.flatMap((name): [string, Change, string][] => [
      [`the table ${name}`, (copy) => void (tableOf(copy, 'users').table = name), '/tables/'],
      [`the column ${name}`, (copy) => void (tableOf(copy, 'users').columns[0] = name), '/tables/'],
      [
        `an identity of ${name}`,
        ({ manifest }) => void manifest.identities.push({ table: 'users', column: name, next: 1 }),
        '/identities/',
      ],
    ]),
    [
      'a number as text',
      ({ manifest: { identities } }) => void Object.assign(identities[0] ?? {}, { next: '1;' }),
      '/identities/',
    ],
    ['a text for the terminal', ({ manifest: { proof } }) => void proof.faults.push('\u001b[2J'), '/proof/faults/'],
    ['no migrations', ({ manifest }) => void (manifest.migrations = []), '/migrations'],
  ];
  test.each(changes)('%s', async (_name, change, path) => {
    const folder = await forge(change, 'manifest');
    const before = await readdir(root);
    await expect(restore(folder, NOWHERE)).rejects.toThrow(`damaged: manifest.json is not complete at "${path}`);
    expect(existsSync(join(root, 'outside.json'))).toBe(false);
    expect((await readdir(root)).filter((name) => !before.includes(name) && !name.startsWith('data-'))).toEqual([]);
  });
});

test('a folder without a complete manifest, which is an interrupted backup, is refused', async () => {
  const folder = await forge(() => undefined, 'manifest');
  for (const [text, reason] of [
    ['{"format": 1', 'damaged: manifest.json is not JSON'],
    ['{"format": 1}', 'damaged: manifest.json is not complete at'],
  ] as const) {
    await writeFile(manifestPath(folder), text);
    await expect(restore(folder, NOWHERE)).rejects.toThrow(reason);
  }
  await rm(manifestPath(folder));
  await expect(restore(folder, NOWHERE)).rejects.toThrow('contains no complete backup');
});

test.each(['entry', 'audit', 'users'])('a damaged table is refused: %s', async (table) => {
  const folder = await forge(async (copy) => {
    const rows = gunzipSync(await readFile(tablePath(copy.folder, table)));
    rows.writeUInt8(rows.readUInt8(0) ^ 1, 0);
    await writeFile(tablePath(copy.folder, table), gzipSync(rows));
  });
  await expect(restore(folder, NOWHERE)).rejects.toThrow(`damaged: table ${table}`);
});

test('a folder without one of its files is refused', async () => {
  const folder = await forge((copy) => rm(filePath(copy.folder, 'audit-key.json')));
  await expect(restore(folder, NOWHERE)).rejects.toThrow('damaged: file audit-key.json');
});

test('links and pipes in the folder are not followed', async () => {
  const moveAndLink = async (path: string): Promise<void> => {
    await rename(path, `${path}.elsewhere`);
    await symlink(`${path}.elsewhere`, path);
  };
  const linked = await forge(({ folder }) => moveAndLink(tablePath(folder, 'users')));
  await expect(restore(linked, NOWHERE)).rejects.toThrow('damaged: table users');
  const key = await forge(({ folder }) => moveAndLink(filePath(folder, 'audit-key.json')));
  await expect(restore(key, NOWHERE)).rejects.toThrow('damaged: file audit-key.json');
  const pipe = await forge(async ({ folder }) => {
    await rm(tablePath(folder, 'users'));
    execFileSync('mkfifo', [tablePath(folder, 'users')]);
  });
  await expect(restore(pipe, NOWHERE)).rejects.toThrow('damaged: table users');
});

test('a file is not written through a link in DATA_DIR', async () => {
  const at = await mkdtemp(join(root, 'data-'));
  const outside = join(root, 'linked.json');
  await symlink(outside, join(at, 'audit-key.json'));
  const into = { databaseUrl: database.url, dataDir: at, auditDir: at, folder: genuine };
  await expect(restoreBackup(into)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(existsSync(outside)).toBe(false);
});

describe('a restore fails and leaves no rows, so that the genuine backup can follow', () => {
  const unordered = 'does not have the tables of its release';
  const changes: [string, Change, string | RegExp][] = [
    ['a table of PostgreSQL', (copy) => addTable(copy, 'pg_authid', ['rolname', 'rolsuper']), unordered],
    ['a derived table', (copy) => addTable(copy, 'schema_migration', ['version']), unordered],
    [
      'a table left out',
      ({ manifest }) => void (manifest.tables = manifest.tables.filter(({ table }) => table !== 'config')),
      unordered,
    ],
    ['a table twice', (copy) => void copy.manifest.tables.push(tableOf(copy, 'agent')), unordered],
    ['a column left out', (copy) => void tableOf(copy, 'agent').columns.pop(), unordered],
    ['an identity left out', ({ manifest }) => void manifest.identities.pop(), unordered],
    [
      'a next id that a row has',
      ({ manifest }) =>
        void Object.assign(manifest.identities.find(({ table }) => table === 'agent') ?? {}, { next: 1 }),
      'The next id of agent in the backup is in use',
    ],
    [
      'another number of rows',
      (copy) => void Object.assign(tableOf(copy, 'users'), { rows: 2 }),
      'Table users does not match',
    ],
    [
      'migrations of another release',
      ({ manifest }) => void (manifest.migrations = manifest.migrations.map((one) => ({ ...one, checksum: 'other' }))),
      'another release',
    ],
    [
      'more money',
      (copy) => rewrite(copy, 'account', (rows) => rows.map((row) => row.replaceAll('1234.5', '9234.5'))),
      'does not match the backup',
    ],
    [
      'another audit row',
      (copy) =>
        rewrite(copy, 'audit', (rows) =>
          rows.map((row, n) => (n === 0 ? row.replace('session.login', 'session.other') : row)),
        ),
      /does not match the backup|violates/,
    ],
    [
      'an entry without its leg',
      (copy) => rewrite(copy, 'entry', (rows) => [...rows, (rows[0] ?? '').replace(/^\d+/, '999999')]),
      /violates|does not match/,
    ],
    [
      'rows after the end of the copy',
      (copy) => rewrite(copy, 'users', (rows) => ['\\.', ...rows]),
      /does not match|corrupt|violates/,
    ],
    ['a value too many', (copy) => rewrite(copy, 'users', (rows) => rows.map((row) => `${row}\tx`)), 'extra data'],
  ];
  test.each(changes)('%s', async (_name, change, reason) => {
    await expect(restore(await forge(change))).rejects.toThrow(reason);
    const counts = await queryAt(
      database.url,
      'select (select count(*) from installation)::int as installations, (select count(*) from users)::int as users',
    );
    expect(counts).toEqual([{ installations: 0, users: 0 }]);
  });

  test('the genuine one is restored', async () => {
    const other = await testDatabase();
    const forged = await forge((copy) => rewrite(copy, 'users', (rows) => rows.map((row) => `${row}\tx`)));
    await expect(restore(forged, other.url)).rejects.toThrow('extra data');
    const at = await restore(genuine, other.url);
    expect(existsSync(join(at, 'audit-key.json'))).toBe(true);
    expect(await queryAt(other.url, 'select count(*)::int as n from users')).toEqual([{ n: 1 }]);
    await other.drop();
  });
});

/** Adds a table to the manifest, with its file. */
async function addTable({ folder, manifest }: Copy, table: string, columns: string[]): Promise<void> {
  await writeFile(tablePath(folder, table), gzipSync(''));
  manifest.tables.push({ table, columns, rows: 0, sha256: digestOf(Buffer.from('')) });
}
