import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPublicKey, sign } from 'node:crypto';
import { HEADS_TO_PLATFORM } from '@hengtai/contract/house/audit/calls';
import type { AuditVerdict } from '@hengtai/contract/house/audit/schema';
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { login, platformCall, provideServer, testServer } from '../../../test/server.ts';
import { AUDIT_KEY_FILE, readOrMakeAuditKey, makeAuditKey } from '../../host/audit-key.ts';
import { openPool } from '../../database/connect.ts';
import { type AuditFields, GENESIS, RULE, auditFields, sealHash } from './chain.ts';
import { sendHead } from '../../domains/house/audit/head.jobs.ts';
import { isSigned, parseHead } from './head.ts';
import { sealPending } from './sealer.ts';
import { loadAnchors, verifyChain } from './verify.ts';
import { runHengtai } from '../../../test/command-line.ts';

const HEADS = 'audit-heads.jsonl';

const server = provideServer({ jobs: false });
beforeEach(async () => {
  // Each test begins a chain.
  await server.query(sql`truncate audit, audit_seal, audit_pending, audit_head`);
  await rm(headsPath(), { force: true });
  await rm(lastHeadPath(), { force: true });
  server.printedLines.length = 0;
});

/** Writes an audit row by a login and seals it as a batch of its own. */
async function sealOne(): Promise<void> {
  await login(server);
  await sealPending(server.app);
}

const headsPath = (): string => join(server.auditDir, HEADS);
const lastHeadPath = (): string => join(server.auditDir, 'audit-last-head.json');
const anchors = () => loadAnchors(server.auditDir, server.app.auditKey);
const verify = async (): Promise<AuditVerdict> => verifyChain(server.owner, await anchors());

interface ProcessResult {
  code: number | null;
  text: string;
}

function run(args: readonly string[]): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      env: {
        ...process.env,
        DATABASE_URL: server.urls.owner,
        DATA_DIR: server.auditDir,
        AUDIT_DIR: server.auditDir,
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    child.once('close', (code) => resolve({ code, text }));
  });
}

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const runVerify = (...args: string[]): Promise<ProcessResult> =>
  runHengtai(server, ['verify', 'audit', ...args], { AUDIT_DIR: server.auditDir });
const runScript = (...args: string[]): Promise<ProcessResult> =>
  run([pathOf('../../../../scripts/verify-audit.mjs'), ...args]);

describe('a head', () => {
  test('is signed, linked to the previous one, copied to AUDIT_DIR and printed', async () => {
    await sealOne();
    await sealOne();
    const text = await readFile(headsPath(), 'utf8');
    expect(text).toBe(server.printedLines.map((line) => `${line}\n`).join(''));
    const [first, second] = server.printedLines.map(parseHead);
    expect(first).toMatchObject({ number: 1, previous: '0'.repeat(64), key: server.app.auditKey.publicKey });
    expect(second?.number).toBe(2);
    expect(second?.rows).toBeGreaterThan(first?.rows ?? 0);
    expect(Math.abs((second?.at ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(first && second && isSigned(first) && isSigned(second)).toBe(true);
    expect(await server.query(sql`select number, previous, rows, hash, at, key, signature from audit_head`)).toEqual([
      first,
      second,
    ]);
  });

  test('missing in AUDIT_DIR after a crash is copied by the next run of the sealer', async () => {
    await sealOne();
    await sealOne();
    const original = await readFile(headsPath(), 'utf8');
    await writeFile(headsPath(), original.slice(0, original.indexOf('\n') + 1));
    await sealPending(server.app);
    expect(await readFile(headsPath(), 'utf8')).toBe(original);
  });
});

describe('sealed rows without heads', () => {
  test('are reported as not anchored, neither broken nor valid', async () => {
    await sealOne();
    await server.query(sql`truncate audit_head`);
    await rm(headsPath());
    await rm(lastHeadPath());
    expect(await verify()).toMatchObject({ ok: false, anchored: false, heads: 0, copies: 0, firstBad: { seq: 1 } });
    const { code, text } = await runVerify();
    expect(code).toBe(3);
    expect(text).toContain('The audit chain is NOT ANCHORED');
  });

  test('are not anchored if no copy of a head exists outside the database', async () => {
    await sealOne();
    const copy = join(server.auditDir, 'kept.jsonl');
    await writeFile(copy, await readFile(headsPath(), 'utf8'));
    await rm(headsPath());
    expect(await verify()).toMatchObject({ ok: false, anchored: false, heads: 1, copies: 0 });
    expect((await runVerify()).code).toBe(3);
    expect(await runVerify('--heads', copy)).toMatchObject({ code: 0 });
  });

  test('are broken if a copy of a deleted head exists', async () => {
    await sealOne();
    await sealOne();
    await server.query(sql`delete from audit_head where number = 2`);
    const [first] = await server.query(sql<{ rows: number }>`select rows from audit_head`);
    const problem = expect.stringContaining('库外副本有链头 2');
    expect(await verify()).toMatchObject({
      ok: false,
      anchored: true,
      firstBad: { seq: (first?.rows ?? 0) + 1, problem },
    });
    expect((await runVerify()).code).toBe(1);
  });
});

describe('the sealer', () => {
  test('signs nothing on top of a history that AUDIT_DIR contradicts', async () => {
    await sealOne();
    await sealOne();
    await server.query(sql`delete from audit_seal where seq > (select min(rows) from audit_head)`);
    await server.query(sql`delete from audit_head where number = 2`);
    await expect(sealOne()).rejects.toThrow(
      'Head 2 of the audit chain does not continue the copies outside the database',
    );
    expect(await server.query(sql`select number from audit_head`)).toEqual([{ number: 1 }]);
  });

  test('signs no history again whose heads were removed from the database and from AUDIT_DIR', async () => {
    await sealOne();
    await sealOne();
    const heads = (await readFile(headsPath(), 'utf8')).split('\n');
    // The database's owner, who can also write AUDIT_DIR, cuts the chain: first its end, then all of it.
    for (const kept of [1, 0]) {
      await server.query(
        sql`delete from audit_seal where seq > (select coalesce(max(rows), 0) from audit_head where number <= ${kept})`,
      );
      await server.query(sql`delete from audit_head where number > ${kept}`);
      await writeFile(
        headsPath(),
        heads
          .slice(0, kept)
          .map((line) => `${line}\n`)
          .join(''),
      );
      await expect(sealOne()).rejects.toThrow('Head 2 of the audit chain does not continue the copies');
      expect(await server.query(sql`select number from audit_head where number > ${kept}`)).toEqual([]);
      expect(await verify()).toMatchObject({ ok: false, anchored: true });
      expect((await runVerify()).code).toBe(1);
    }
  });

  test('names a damaged file with the last head', async () => {
    await sealOne();
    await writeFile(lastHeadPath(), '{}');
    await writeFile(headsPath(), '');
    await expect(sealOne()).rejects.toThrow('audit-last-head.json is damaged');
  });

  test('signs nothing if seals were inserted past it', async () => {
    await sealOne();
    await login(server);
    await server.query(sql`insert into audit_seal (seq, audit_id, rule, hash, sealed_at)
      select 1000, audit_id, 1, 'x', 0 from audit_pending limit 1`);
    await expect(sealPending(server.app)).rejects.toThrow('does not end at its last head');
  });
});

describe('a database of an earlier release', () => {
  /** Creates the state of an earlier release: seals, no heads in the database, and unlinked heads in AUDIT_DIR. */
  async function makeEarlier(hash?: string): Promise<void> {
    await sealOne();
    await sealOne();
    const [seal] = await server.query(
      sql<{ seq: number; hash: string }>`select seq, hash from audit_seal where seq = 1`,
    );
    await server.query(sql`truncate audit_head`);
    const head = { seq: 1, hash: hash ?? seal?.hash, at: 5 };
    const signed = Buffer.from(`${head.seq}\n${head.hash}\n${head.at}`);
    const signature = sign(null, signed, server.app.auditKey.privateKey).toString('base64');
    await writeFile(headsPath(), `${JSON.stringify({ ...head, signature })}\n`);
    await rm(lastHeadPath());
  }

  test('gets a first head over all rows sealed before', async () => {
    await makeEarlier();
    expect(await verify()).toMatchObject({ ok: false, anchored: false });
    await sealPending(server.app);
    const [sealed] = await server.query(sql<{ n: number }>`select count(*) as n from audit_seal`);
    expect(await server.query(sql`select number, rows from audit_head`)).toEqual([{ number: 1, rows: sealed?.n }]);
    expect(await verify()).toMatchObject({ ok: true, anchored: true, heads: 1, copies: 1 });
    await sealOne();
    expect(await verify()).toMatchObject({ ok: true, heads: 2, copies: 2 });
  });

  test('keeps its sealed rows and gets its first head at the first start', async () => {
    const database = await testDatabase();
    const auditDir = await mkdtemp(join(tmpdir(), 'hengtai-audit-'));
    const { db, end } = openPool({ url: database.url, max: 1, name: 'test-earlier', onError: () => undefined });
    let previous = GENESIS;
    for (const seq of [1, 2, 3]) {
      await sql`insert into audit (ip, user_agent, action, result, request_id, created_at, recorded_at)
        values ('', '', 'test.earlier', 200, 'x', 0, 0)`.execute(db);
      const { rows } = await sql<{ id: number; fields: AuditFields }>`
        select a.id, ${auditFields} as fields from audit a order by a.id desc limit 1`.execute(db);
      const [row] = rows;
      previous = sealHash(RULE, seq, previous, row?.fields ?? []);
      await sql`insert into audit_seal (seq, audit_id, rule, hash, sealed_at)
        values (${seq}, ${row?.id ?? 0}, ${RULE}, ${previous}, 0)`.execute(db);
    }
    await end();
    const migrated = await testServer({ jobs: false, existing: { database, auditDir } });
    try {
      const { auditKey } = migrated.app;
      expect(await verifyChain(migrated.owner, await loadAnchors(auditDir, auditKey))).toMatchObject({
        anchored: false,
      });
      await sealPending(migrated.app);
      expect(await migrated.query(sql`select number, rows, hash from audit_head`)).toEqual([
        { number: 1, rows: 3, hash: previous },
      ]);
      expect(await verifyChain(migrated.owner, await loadAnchors(auditDir, auditKey))).toMatchObject({
        ok: true,
        sealed: 3,
      });
    } finally {
      await migrated.stop();
    }
  });

  test('gets no head while its chain differs from an earlier head', async () => {
    await makeEarlier('0'.repeat(64));
    await expect(sealPending(server.app)).rejects.toThrow('differs from the signed head of row 1');
    expect(await server.query(sql`select number from audit_head`)).toEqual([]);
  });

  test('keeps its key from AUDIT_DIR', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hengtai-data-'));
    try {
      const { fingerprint } = readOrMakeAuditKey(dataDir, server.auditDir);
      expect(fingerprint).toBe(server.app.auditKey.fingerprint);
      expect((await stat(join(dataDir, AUDIT_KEY_FILE))).mode & 0o777).toBe(0o600);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('the key', () => {
  test('is published without a login', async () => {
    const answer = await server.server.inject({ method: 'GET', url: '/.well-known/hengtai-audit-key' });
    const { publicKey, fingerprint } = server.app.auditKey;
    expect(answer.json()).toEqual({ algorithm: 'Ed25519', publicKey, fingerprint, root: fingerprint });
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    expect(key.asymmetricKeyType).toBe('ed25519');
  });

  test('of another installation seals nothing unless it replaces a lost key', async () => {
    await sealOne();
    await login(server);
    const lost = server.app.auditKey;
    const other = makeAuditKey();
    await expect(sealPending({ ...server.app, auditKey: other })).rejects.toThrow('Copy audit-key.json');
    const auditKey = { ...other, replaces: [lost.fingerprint] };
    await sealPending({ ...server.app, auditKey });
    expect(await verifyChain(server.owner, await loadAnchors(server.auditDir, auditKey))).toMatchObject({ ok: true });
    expect(await verifyChain(server.owner, await loadAnchors(server.auditDir, other))).toMatchObject({ ok: false });
  });

  test('that replaces a lost key names its fingerprint in the key file', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hengtai-data-'));
    try {
      const { fingerprint } = readOrMakeAuditKey(dataDir, dataDir);
      const path = join(dataDir, AUDIT_KEY_FILE);
      const content = JSON.parse(await readFile(path, 'utf8')) as object;
      await writeFile(path, JSON.stringify({ ...content, replaces: 'a'.repeat(64) }));
      expect(readOrMakeAuditKey(dataDir, dataDir)).toMatchObject({ fingerprint, replaces: ['a'.repeat(64)] });
      await writeFile(path, JSON.stringify({ ...content, replaces: 'a' }));
      expect(() => readOrMakeAuditKey(dataDir, dataDir)).toThrow('is damaged');
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test('of another installation is not trusted by the verification', async () => {
    await sealOne();
    const keys = [makeAuditKey().fingerprint];
    expect(await verifyChain(server.owner, { ...(await anchors()), keys })).toMatchObject({
      ok: false,
      firstBad: { seq: 1, problem: '链头 1 由其他密钥签名' },
    });
  });
});

describe('an export', () => {
  test('is verified by the script with only the fingerprint or the public key', async () => {
    await sealOne();
    await sealOne();
    const file = join(server.auditDir, 'chain.jsonl');
    expect(await runVerify('--export', file)).toMatchObject({ code: 0 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { fingerprint, publicKey } = server.app.auditKey;
    const log = join(server.auditDir, 'server.log');
    await writeFile(log, ['{"level":30,"msg":"request"}', ...server.printedLines, 'not JSON', ''].join('\n'));
    for (const key of [fingerprint, publicKey]) {
      const { code, text } = await runScript(file, '--key', key, '--heads', log);
      expect(text).toContain('The audit chain holds');
      expect(text).toContain('2 signed heads, 2 of them kept elsewhere');
      expect(code).toBe(0);
    }
    expect(await runScript(file, '--key', makeAuditKey().fingerprint)).toMatchObject({ code: 1 });
    expect((await runScript(file)).code).toBe(2);

    const lines = (await readFile(file, 'utf8')).split('\n');
    const isHead = (line: string): boolean => line.includes('"audit.head"');
    await writeFile(file, lines.filter((line) => !isHead(line)).join('\n'));
    expect(await runScript(file, '--key', fingerprint)).toMatchObject({ code: 3 });
    expect(await runScript(file, '--key', fingerprint, '--heads', log)).toMatchObject({ code: 1 });
    await writeFile(file, lines.map((line) => line.replace('"admin"', '"other"')).join('\n'));
    const { code, text } = await runScript(file, '--key', fingerprint);
    expect(code).toBe(1);
    expect(text).toContain('First bad row: 1: row 1 was changed.');
  });
});

describe('audit.head', () => {
  const pull = async (): Promise<PlatformCommand[]> =>
    (await platformCall<PlatformCommand[]>(server, 'GET', 'commands?after=0')).data.filter(
      ({ type }) => type === 'audit.head',
    );

  test('is sent to the platform if the setting is on, at most once a minute', async () => {
    await sealOne();
    await sendHead(server.app);
    expect(await pull()).toEqual([]);
    await server.query(sql`update config set state = 1 where key = ${HEADS_TO_PLATFORM}`);
    await sendHead(server.app);
    await sealOne();
    await sealOne();
    await sendHead(server.app);
    expect((await pull()).map(({ data }) => data)).toMatchObject([{ number: 1 }]);
    server.clock.move(60_000);
    await sendHead(server.app);
    await sendHead(server.app);
    const sent = (await pull()).map(({ data }) => parseHead(JSON.stringify({ type: 'audit.head', ...data })));
    expect(sent).toEqual([1, 3].map((number) => parseHead(server.printedLines[number - 1] ?? '')));
    server.clock.move(60_000);
    await sendHead(server.app);
    expect(await pull()).toHaveLength(2);
  });
});
