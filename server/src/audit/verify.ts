import type { AuditVerdict } from '@hengtai/contract/audit.schema';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { scoped } from '../db/connect.ts';
import { type AuditFields, GENESIS, auditFields, sealHash } from './chain.ts';
import { type Head, readHeads } from './heads.ts';

const BATCH = 5_000;

interface Sealed {
  seq: number;
  auditId: number;
  rule: number;
  hash: string;
  fields: AuditFields | null;
}

type Bad = NonNullable<AuditVerdict['firstBad']>;

/**
 * Walks the whole chain and holds it against the signed heads outside the database: a row that was changed, removed,
 * reordered or cut off, and a history that was written anew, are found, and the first bad row is named.
 */
export async function verifyChain(db: Db, auditDir: string): Promise<AuditVerdict> {
  // Before the snapshot: a head that is younger than it would look like a chain that was cut off.
  const signed = await readHeads(auditDir);
  return scoped(db, { kind: 'all' }, 0, async (snapshot) => verifySnapshot(snapshot, signed), 'read');
}

/** The same of a snapshot that the caller holds, against heads that were read before it was taken. */
export async function verifySnapshot(
  snapshot: Db,
  signed: Awaited<ReturnType<typeof readHeads>>,
): Promise<AuditVerdict> {
  const { heads, badLine } = signed;
  const walk = await walkChain(snapshot, new Map(heads.map((head) => [head.seq, head])));
  const { rows } = await sql<{ n: number }>`select count(*) as n from audit_pending`.execute(snapshot);
  const firstBad = walk.bad ?? missingHead(heads, walk.last) ?? (await unsealed(snapshot)) ?? badHead(badLine);
  return { ok: firstBad === null, sealed: walk.last, pending: rows[0]?.n ?? 0, heads: heads.length, firstBad };
}

async function walkChain(db: Db, heads: ReadonlyMap<number, Head>): Promise<{ last: number; bad: Bad | null }> {
  let previous = GENESIS;
  let last = 0;
  for (;;) {
    const { rows } = await sql<Sealed>`
      select s.seq, s.audit_id as "auditId", s.rule, s.hash, case when a.id is null then null else ${auditFields} end as fields
      from audit_seal s left join audit a on a.id = s.audit_id
      where s.seq > ${last} order by s.seq limit ${BATCH}`.execute(db);
    for (const seal of rows) {
      const problem = problemOf(seal, last + 1, previous, heads.get(seal.seq));
      if (problem) return { last, bad: { seq: seal.seq, auditId: seal.auditId, problem } };
      previous = seal.hash;
      last = seal.seq;
    }
    if (rows.length < BATCH) return { last, bad: null };
  }
}

function problemOf(seal: Sealed, seq: number, previous: string, head: Head | undefined): string | null {
  if (seal.seq !== seq) return `第 ${seq} 条起被删除`;
  if (!seal.fields) return '审计记录被删除';
  if (sealHash(seal.rule, seal.seq, previous, seal.fields) !== seal.hash) return '内容或顺序被改动';
  if (head && head.hash !== seal.hash) return '历史被重写：与库外签名不符';
  return null;
}

function missingHead(heads: readonly Head[], last: number): Bad | null {
  const beyond = heads.find((head) => head.seq > last);
  return beyond ? { seq: last + 1, auditId: null, problem: `链尾被截断：库外签名已到第 ${beyond.seq} 条` } : null;
}

/** A row that is neither sealed nor waiting was slipped past the sealer, or its seal was taken away. */
async function unsealed(db: Db): Promise<Bad | null> {
  const { rows } = await sql<{ id: number }>`
    select a.id from audit a
    where not exists (select from audit_seal s where s.audit_id = a.id)
      and not exists (select from audit_pending p where p.audit_id = a.id)
    order by a.id limit 1`.execute(db);
  return rows[0] ? { seq: 0, auditId: rows[0].id, problem: '记录未入链' } : null;
}

const badHead = (line: number | null): Bad | null =>
  line === null ? null : { seq: 0, auditId: null, problem: `库外签名文件第 ${line} 行无效` };
