// @module-tag full
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { makeUser, makeWithdraw, recharge } from '../../test/factories.ts';
import { testDatabase } from '../../test/database.ts';
import { ADMIN, type TestServer, call, login, testServer, unique } from '../../test/server.ts';
import { findAuditKey } from '../host/audit-key.ts';
import { loadAnchors, verifyChain } from '../books/audit/verify.ts';
import { compactCounters, rebuildCounters } from '../books/lists/counters.ts';
import { openCluster } from '../host/postgres-files.ts';
import { checkBook } from '../books/ledger/check.ts';
import { makeBackup } from './backup.ts';
import { type Manifest, tablePath } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { runCommand } from '../../test/command-line.ts';

let server: TestServer;
let admin: string;
let dataDir: string;
const temporaryPaths: string[] = [];

const temporary = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'hengtai-backup-'));
  temporaryPaths.push(path);
  return path;
};

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
  dataDir = await temporary();
  await writeFile(join(dataDir, 'platform-key.json'), '{"key":"k","secret":"s"}');
  const account = await makeUser(server, { amount: '1000.123456789012345678' });
  const { id } = await makeWithdraw(server, admin, account, { amount: '10.5' });
  await makeWithdraw(server, admin, account, { amount: '20' });
  await call(server, 'POST', 'withdraw/reject', { id, reason: '测试\t\\N "备份" 😀' }, { token: admin });
  await untilSealed();
});
afterAll(async () => {
  await server.stop();
  for (const path of temporaryPaths) await rm(path, { recursive: true, force: true });
});

/** Waits until the running sealer has sealed all audit rows. */
const untilSealed = (): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await server.query(sql<{ n: number }>`select count(*) as n from audit_pending`)).toEqual([{ n: 0 }]),
    { timeout: 60_000, interval: 20 },
  );

const constraints = (of: TestServer) =>
  of.query(sql`select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as definition, convalidated
    from pg_constraint where connamespace = current_schema()::regnamespace order by 1, 2`);

async function backup(): Promise<{ folder: string; manifest: Manifest }> {
  const folder = join(await temporary(), 'made');
  const from = { databaseUrl: server.urls.owner, dataDir, auditDir: server.auditDir };
  return { folder, manifest: await makeBackup({ ...from, folder, now: 1 }) };
}

describe('a backup', () => {
  test('restores rows, ledger, audit chain, heads, keys, logins and next ids; only its owner reads it', async () => {
    await server.query(sql`update counter_limit set total_rows = 0`);
    await rebuildCounters(server.owner);
    await compactCounters(server.app);
    const addresses = sql`select user_key, address, n, amount, lo, hi from counter_address order by user_key, address`;
    const { folder, manifest } = await backup();
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect((await stat(tablePath(folder, 'users'))).mode & 0o077).toBe(0);
    const again = { databaseUrl: server.urls.owner, dataDir, auditDir: server.auditDir, folder, now: 1 };
    await expect(makeBackup(again)).rejects.toThrow('is not empty');
    expect(manifest.tables.map(({ table }) => table).filter((table) => table.startsWith('counter'))).toEqual([
      'counter_limit',
      'counter_source',
    ]);
    expect(manifest.proof).toMatchObject({ faults: [], chain: { ok: true, pending: 0 } });
    expect(manifest.proof.chain.sealed).toBeGreaterThan(1);
    const database = await testDatabase();
    const at = await temporary();
    const { appRole } = inject('cluster');
    await restoreBackup({ databaseUrl: database.url, dataDir: at, auditDir: at, folder, migrate: { appRole } });
    expect(await readFile(join(at, 'platform-key.json'), 'utf8')).toBe('{"key":"k","secret":"s"}');
    const restored = await testServer({ existing: { database, auditDir: at } });
    try {
      const token = await login(restored, ADMIN.account, ADMIN.password);
      const before = await call(server, 'GET', 'withdraw/list', { size: 50 }, { token: admin });
      const after = await call(restored, 'GET', 'withdraw/list', { size: 50 }, { token });
      expect(after.data).toEqual(before.data);
      expect(await checkBook(restored.owner)).toEqual([]);
      expect(await restored.query(addresses)).toEqual(await server.query(addresses));
      expect(await restored.query(addresses)).not.toEqual([]);
      const anchors = await loadAnchors(at, server.app.auditKey);
      expect(await verifyChain(restored.owner, anchors)).toMatchObject({ ok: true });
      expect(await constraints(restored)).toEqual(await constraints(server));
      const added = { account: unique('user'), password: 'a-password' };
      expect(await call(restored, 'POST', 'user/add', added, { token })).toMatchObject({ code: 200 });
    } finally {
      await restored.stop();
    }
  });

  test('is consistent while other transactions write; its key belongs to DATA_DIR, its heads to AUDIT_DIR', async () => {
    const account = await makeUser(server);
    const finished = new AbortController();
    const writer = (async () => {
      while (!finished.signal.aborted) await recharge(server, account, '1.000000000000000001');
    })();
    const { folder, manifest } = await backup().finally(() => finished.abort());
    await writer;
    expect(manifest.proof.faults).toEqual([]);
    expect(manifest.proof.chain.ok).toBe(true);

    const database = await testDatabase();
    const [data, audit] = [await temporary(), await temporary()];
    const restored = { databaseUrl: database.url, dataDir: data, auditDir: audit };
    await restoreBackup({ ...restored, folder, migrate: { appRole: inject('cluster').appRole } });
    expect(findAuditKey(data, data)?.fingerprint).toBe(server.app.auditKey.fingerprint);
    expect(findAuditKey(audit, audit)).toBeUndefined();
    expect(existsSync(join(audit, 'audit-heads.jsonl'))).toBe(true);
    const again = await makeBackup({ ...restored, folder: join(await temporary(), 'again'), now: 2 });
    expect(again.files.map(({ name }) => name)).toContain('audit-key.json');
    expect(again.proof.chain.ok).toBe(true);
    await database.drop();
    // The backed-up installation is in use.
    const at = await temporary();
    const into = { databaseUrl: server.urls.owner, dataDir: at, auditDir: at, folder };
    await expect(restoreBackup(into)).rejects.toThrow('in use');
    expect(existsSync(join(at, 'platform-key.json'))).toBe(false);
    expect(await checkBook(server.owner)).toEqual([]);
  });
});

describe('the commands', () => {
  test('back up a database and restore it into an empty DATA_DIR, but not into a used one', async () => {
    const folder = join(await temporary(), 'made');
    const at = await temporary();
    const source = { DATABASE_URL: server.urls.owner, DATA_DIR: dataDir, AUDIT_DIR: server.auditDir };
    const made = await runCommand(['backup', folder], source);
    expect(made).toMatchObject({ code: 0, text: expect.stringContaining('USDT owed to users: ') as string });
    const restored = await runCommand(['restore', folder], { DATA_DIR: at });
    expect(restored.code, restored.text).toBe(0);
    expect(restored.text.split('\n').slice(1)).toEqual(made.text.split('\n').slice(1));
    const again = await runCommand(['restore', folder], { DATA_DIR: at });
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('in use') as string });
    temporaryPaths.push(openCluster(at).base);
  }, 120_000);
});
