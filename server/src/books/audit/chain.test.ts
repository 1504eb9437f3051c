import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditVerdict } from '@hengtai/contract/house/audit/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { login, provideServer } from '../../../test/server.ts';
import { inTransaction } from '../../database/connect.ts';
import { recordAudit } from '../../actions/audit.store.ts';
import { type AuditFields, GENESIS, RULE, auditFields, sealHash } from './chain.ts';
import { sealPending } from './sealer.ts';
import { loadAnchors, verifyChain } from './verify.ts';
import { runHengtai } from '../../../test/command-line.ts';

const server = provideServer({ jobs: false });
/** The sealed rows in the order of the chain. */
let chain: { seq: number; id: number }[];

const HEADS = 'audit-heads.jsonl';
const HEAD_FILES = [HEADS, 'audit-last-head.json'];
const BATCHES = 5;
const ROWS = 30;

async function write(count: number, round: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const who = {
      operator: { id: 1, account: 'admin' },
      sessionId: 7,
      ip: '127.0.0.1',
      userAgent: 'test',
      requestId: `r-${round}-${n}`,
      now: 1_000 + n,
    };
    await inTransaction(server.app.system, (db) =>
      recordAudit(db, who, {
        action: 'test.done',
        result: 200,
        targetType: 'withdraw',
        targetId: n + 1,
        userId: n + 1,
        account: `user${n}`,
        agentId: 1,
        before: { state: 0, n },
        after: { state: 2, n },
        reason: `because ${n}`,
        approvalId: n + 1,
      }),
    );
  }
}

beforeAll(async () => {
  await login(server);
  // Several batches, so that there are signed heads inside the chain.
  for (let round = 0; round < BATCHES; round += 1) {
    await write(ROWS / BATCHES, round);
    await sealPending(server.app);
  }
  chain = await server.query(sql<{ seq: number; id: number }>`select seq, audit_id as id from audit_seal order by seq`);
  for (const table of ['audit', 'audit_seal', 'audit_pending', 'audit_head']) {
    await server.query(sql`create table ${sql.table(`kept_${table}`)} as table ${sql.table(table)}`);
  }
  for (const file of HEAD_FILES) await copyFile(join(server.auditDir, file), join(server.auditDir, `kept-${file}`));
});

/** Restores the original chain. */
afterEach(async () => {
  await server.query(sql`truncate audit, audit_seal, audit_pending, audit_head`);
  await server.query(sql`insert into audit_head select * from kept_audit_head`);
  const columns = sql.raw(
    `id, operator_id, operator, session_id, ip, user_agent, action, target_type, target_id, user_id, account, agent_id,
     before, after, reason, approval_id, result, request_id, created_at, recorded_at`,
  );
  await server.query(sql`insert into audit (${columns}) overriding system value select ${columns} from kept_audit`);
  await server.query(sql`insert into audit_seal select * from kept_audit_seal`);
  await server.query(sql`insert into audit_pending select * from kept_audit_pending`);
  for (const file of HEAD_FILES) await copyFile(join(server.auditDir, `kept-${file}`), join(server.auditDir, file));
});

const anchors = () => loadAnchors(server.auditDir, server.app.auditKey);
const verify = async (): Promise<AuditVerdict> => verifyChain(server.owner, await anchors());
const rowAt = (seq: number): { seq: number; id: number } => {
  const row = chain[seq - 1];
  if (!row) throw new Error(`no row ${seq}`);
  return row;
};
const last = (): number => chain.length;

/** Recomputes the hashes from a row on, to hide a change. */
async function rehashFrom(seq: number): Promise<void> {
  const [before] = await server.query(sql<{ hash: string }>`select hash from audit_seal where seq = ${seq - 1}`);
  let previous = before?.hash ?? GENESIS;
  const rows = await server.query(sql<{ seq: number; fields: AuditFields }>`
    select s.seq, ${auditFields} as fields from audit_seal s join audit a on a.id = s.audit_id where s.seq >= ${seq} order by s.seq`);
  for (const row of rows) {
    previous = sealHash(RULE, row.seq, previous, row.fields);
    await server.query(sql`update audit_seal set hash = ${previous} where seq = ${row.seq}`);
  }
}

const headSeqs = async (): Promise<number[]> =>
  (await readFile(join(server.auditDir, HEADS), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { rows: number }).rows);

describe('the chain', () => {
  test('verifies if it is unchanged', async () => {
    const verdict = await verify();
    const counts = { sealed: last(), total: last(), pending: 0, heads: BATCHES, copies: BATCHES, anchored: true };
    expect(verdict).toMatchObject({ ok: true, ...counts, next: null, firstBad: null });
    expect(verdict.lastHeads.map(({ seq }) => seq)).toEqual((await headSeqs()).toReversed());
    expect(last()).toBeGreaterThan(ROWS);
  });

  const step = async (after: number, hash?: string): Promise<AuditVerdict> =>
    verifyChain(server.owner, await anchors(), { after, hash: hash ?? GENESIS, count: 10 });

  test('is verified in steps, each continuing after the previous one', async () => {
    const ends: number[] = [];
    let from: AuditVerdict['next'] = { after: 0, hash: GENESIS };
    while (from) {
      const verdict: AuditVerdict = await step(from.after, from.hash);
      expect(verdict).toMatchObject({ ok: true, total: last(), firstBad: null });
      ends.push(verdict.sealed);
      from = verdict.next;
    }
    expect(ends).toEqual([10, 20, 30, last()]);
  });

  test('a step reports changes of its own rows only', async () => {
    const first = await step(0);
    await server.query(sql`update audit set reason = 'other' where id = ${rowAt(5).id}`);
    expect(await step(10, first.next?.hash)).toMatchObject({ ok: true });
    await server.query(sql`update audit set reason = 'other' where id = ${rowAt(15).id}`);
    expect(await step(10, first.next?.hash)).toMatchObject({ ok: false, next: null, firstBad: { seq: 15 } });
  });

  test('a step detects that verified rows were replaced since the previous step', async () => {
    const first = await step(0);
    await server.query(sql`update audit set reason = 'never happened' where id = ${rowAt(3).id}`);
    await rehashFrom(3);
    expect(await step(10, first.next?.hash)).toMatchObject({ ok: false, firstBad: { seq: 10 } });
    await server.query(sql`truncate audit, audit_seal, audit_pending`);
    expect(await step(10, first.next?.hash)).toMatchObject({ ok: false, firstBad: { seq: 10 } });
  });

  const fields: [string, string][] = [
    ['operator_id', '2'],
    ['operator', "'other'"],
    ['operator', 'null'],
    ['session_id', '8'],
    ['ip', "'127.0.0.2'"],
    ['user_agent', "''"],
    ['action', "'test.donE'"],
    ['target_type', 'null'],
    ['target_id', 'target_id + 1'],
    ['user_id', 'user_id + 1'],
    ['account', "account || ' '"],
    ['agent_id', '2'],
    ['before', `jsonb_set(before, '{state}', '1')`],
    ['after', 'null'],
    ['reason', "'for another'"],
    ['approval_id', 'null'],
    ['result', '202'],
    ['request_id', "request_id || '0'"],
    ['created_at', 'created_at + 1'],
    ['recorded_at', 'recorded_at - 1'],
  ];
  test.each(fields)('detects a changed %s (%s) and names the row', async (column, value) => {
    const { seq, id } = rowAt(17);
    await server.query(sql`update audit set ${sql.raw(`${column} = ${value}`)} where id = ${id}`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { seq, auditId: id, problem: '内容或顺序被改动' } });
  });

  test('detects text moved from one field to the next', async () => {
    const { seq, id } = rowAt(12);
    await server.query(sql`update audit set action = action || target_type, target_type = '' where id = ${id}`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { seq, auditId: id } });
  });

  test('detects a deleted row', async () => {
    const { seq, id } = rowAt(9);
    await server.query(sql`delete from audit where id = ${id}`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { seq, auditId: id, problem: '审计记录被删除' } });
  });

  test.each([1, 9, 20])('detects row %i deleted with its seal', async (seq) => {
    const { id } = rowAt(seq);
    await server.query(sql`delete from audit_seal where seq = ${seq}`);
    await server.query(sql`delete from audit where id = ${id}`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { seq: seq + 1, problem: `第 ${seq} 条起被删除` } });
  });

  test('detects a deleted seal', async () => {
    await server.query(sql`delete from audit_seal where seq = ${last()}`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { seq: last() } });
  });

  test('detects two swapped rows', async () => {
    const [one, other] = [rowAt(6), rowAt(14)];
    await server.query(sql`update audit_seal set audit_id = -1 where seq = ${one.seq}`);
    await server.query(sql`update audit_seal set audit_id = ${one.id} where seq = ${other.seq}`);
    await server.query(sql`update audit_seal set audit_id = ${other.id} where seq = ${one.seq}`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { seq: one.seq, auditId: other.id } });
  });

  test.each([1, 2, 10])('detects %i rows cut off at the end', async (count) => {
    const from = last() - count + 1;
    await server.query(sql`delete from audit where id in (select audit_id from audit_seal where seq >= ${from})`);
    await server.query(sql`delete from audit_seal where seq >= ${from}`);
    const verdict = await verify();
    expect(verdict).toMatchObject({ ok: false, sealed: from - 1, firstBad: { seq: from } });
    expect(verdict.firstBad?.problem).toContain('链尾被截断');
  });

  test.each([1, 8, 16, 31])('detects a history rewritten from row %i on at the next signed head', async (seq) => {
    await server.query(sql`update audit set reason = 'never happened' where id = ${rowAt(seq).id}`);
    await rehashFrom(seq);
    const nextHead = (await headSeqs()).find((head) => head >= seq) ?? 0;
    expect(await verify()).toMatchObject({
      ok: false,
      firstBad: { seq: nextHead, auditId: rowAt(nextHead).id, problem: '历史被重写：与签名的链头不符' },
    });
  });

  test('detects a removed row even if all later rows are renumbered and rehashed', async () => {
    const seq = 11;
    await server.query(sql`delete from audit where id = ${rowAt(seq).id}`);
    await server.query(sql`delete from audit_seal where seq = ${seq}`);
    for (let n = seq + 1; n <= last(); n += 1)
      await server.query(sql`update audit_seal set seq = ${n - 1} where seq = ${n}`);
    await rehashFrom(seq);
    const nextHead = (await headSeqs()).find((head) => head >= seq);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { seq: nextHead } });
  });

  test('detects an emptied chain', async () => {
    await server.query(sql`truncate audit, audit_seal, audit_pending`);
    expect(await verify()).toMatchObject({ ok: false, sealed: 0, firstBad: { seq: 1 } });
  });

  test('detects an emptied chain with a new history, which the sealer does not sign', async () => {
    await server.query(sql`truncate audit, audit_seal, audit_pending`);
    await server.query(sql`truncate audit_head`);
    await write(ROWS + 10, 99);
    await expect(sealPending(server.app)).rejects.toThrow('does not continue the copies outside the database');
    expect(await verify()).toMatchObject({ ok: false, anchored: true, sealed: 0, firstBad: { seq: 1 } });
  });

  test('detects a row inserted past the sealer', async () => {
    const [inserted] = await server.query(sql<{ id: number }>`
      insert into audit (ip, user_agent, action, result, request_id, created_at, recorded_at)
      values ('', '', 'test.slipped', 200, 'x', 0, 0) returning id`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { auditId: inserted?.id, problem: '记录未入链' } });
  });

  test('detects a changed copy of a head and a line that is no head', async () => {
    const path = join(server.auditDir, HEADS);
    const text = await readFile(path, 'utf8');
    const lines = text.trim().split('\n');
    const changed = lines.map((line, n) => (n === 2 ? line.replace(/"rows":\d+/, '"rows":3') : line));
    await writeFile(path, `${changed.join('\n')}\n`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { problem: '库外链头副本第 3 行无效' } });
    await writeFile(path, `${lines.slice(0, 2).join('\n')}\nnot a head\n${lines.slice(2).join('\n')}\n`);
    expect(await verify()).toMatchObject({ ok: false, firstBad: { problem: '库外链头副本第 3 行无效' } });
  });

  test('ignores an incomplete last line of the copy, also after the next head', async () => {
    await appendFile(join(server.auditDir, HEADS), '{"seq":4000,"ha');
    expect(await verify()).toMatchObject({ ok: true });
    await write(3, 77);
    await sealPending(server.app);
    expect(await verify()).toMatchObject({ ok: true, sealed: last() + 3, heads: BATCHES + 1 });
  });

  test('the application role can neither change nor delete rows', async () => {
    for (const statement of [
      'update audit set reason = reason',
      'delete from audit',
      'update audit_seal set hash = hash',
      'delete from audit_seal',
      'truncate audit',
      'update audit_head set hash = hash',
      'delete from audit_head',
    ]) {
      await expect(inTransaction(server.app.system, (db) => sql.raw(statement).execute(db))).rejects.toThrow(
        'permission denied',
      );
    }
  });
});

describe('the sealer', () => {
  test('does not fork the chain when several run concurrently', async () => {
    for (let round = 0; round < 4; round += 1) {
      await write(25, 200 + round);
      await Promise.all(Array.from({ length: 8 }, () => sealPending({ ...server.app })));
    }
    await sealPending(server.app);
    expect(await verify()).toMatchObject({ ok: true, sealed: last() + 100, pending: 0 });
  });

  test('seals all rows that are written while it runs', async () => {
    const writing = Promise.all(Array.from({ length: 6 }, (_, n) => write(20, 300 + n)));
    const written = new AbortController();
    const sealing = Promise.all(
      Array.from({ length: 2 }, async () => {
        while (!written.signal.aborted) await sealPending(server.app);
      }),
    );
    await writing;
    written.abort();
    await sealing;
    await sealPending(server.app);
    expect(await verify()).toMatchObject({ ok: true, sealed: last() + 120, pending: 0 });
  });

  test('cannot write a sequence number twice', async () => {
    await expect(
      inTransaction(server.app.system, (db) =>
        sql`insert into audit_seal (seq, audit_id, rule, hash, sealed_at) values (${last()}, 999999, 1, 'x', 0)`.execute(
          db,
        ),
      ),
    ).rejects.toThrow('duplicate key');
  });
});

describe('hengtai verify audit', () => {
  const run = () => runHengtai(server, ['verify', 'audit'], { AUDIT_DIR: server.auditDir });

  test('exits with 0 if the chain is valid', async () => {
    expect(await run()).toEqual({
      code: 0,
      text: `The audit chain holds: ${last()} sealed, 0 pending, ${BATCHES} signed heads, ${BATCHES} copies of heads.\n`,
    });
  });

  test('exits with 1 and names the row if it is not', async () => {
    const { seq, id } = rowAt(13);
    await server.query(sql`update audit set result = 403 where id = ${id}`);
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toContain(`First bad row: seal ${seq}, audit ${id}:`);
  });
});
