import { VERIFY_STEP } from '@hengtai/contract/audit';
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

/** Where a walk begins, and how many seals it takes at most. */
interface Stretch {
  after: number;
  hash: string;
  most: number;
}

const WHOLE: Stretch = { after: 0, hash: GENESIS, most: Number.POSITIVE_INFINITY };
const HEADS_SHOWN = 5;

/**
 * Walks the whole chain and holds it against the signed heads outside the database: a row that was changed, removed,
 * reordered or cut off, and a history that was written anew, are found, and the first bad row is named.
 */
export async function verifyChain(db: Db, auditDir: string, stretch = WHOLE): Promise<AuditVerdict> {
  // Before the snapshot: a head that is younger than it would look like a chain that was cut off.
  const signed = await readHeads(auditDir);
  return scoped(db, { kind: 'all' }, 0, async (snapshot) => verifySnapshot(snapshot, signed, stretch), 'read');
}

/**
 * One step of a long verification. The asker carries the hash from step to step, so what was walked cannot be exchanged
 * behind its back: the next row would no longer follow from it.
 */
export const verifyStep = (db: Db, auditDir: string, after: number, hash = GENESIS): Promise<AuditVerdict> =>
  verifyChain(db, auditDir, { after, hash, most: VERIFY_STEP });

/** The same of a snapshot that the caller holds, against heads that were read before it was taken. */
export async function verifySnapshot(
  snapshot: Db,
  signed: Awaited<ReturnType<typeof readHeads>>,
  stretch = WHOLE,
): Promise<AuditVerdict> {
  const { heads, badLine } = signed;
  const walk = await walkChain(snapshot, new Map(heads.map((head) => [head.seq, head])), stretch);
  const { rows } = await sql<{ pending: number; total: number }>`
    select (select count(*) from audit_pending) as pending, (select coalesce(max(seq), 0) from audit_seal) as total`.execute(
    snapshot,
  );
  const counted = { pending: rows[0]?.pending ?? 0, total: rows[0]?.total ?? 0, heads: heads.length };
  const lastHeads = heads
    .slice(-HEADS_SHOWN)
    .map(({ seq, hash, at }) => ({ seq, hash, at }))
    .toReversed();
  // What can only be said of the whole is asked at the end of it.
  const atEnd = async () => missingHead(heads, walk.last) ?? (await unsealed(snapshot)) ?? badHead(badLine);
  const firstBad = walk.bad ?? (walk.more ? null : await atEnd());
  const next = walk.more && !firstBad ? { after: walk.last, hash: walk.hash } : null;
  return { ok: firstBad === null, sealed: walk.last, ...counted, next, lastHeads, firstBad };
}

interface Walk {
  last: number;
  hash: string;
  bad: Bad | null;
  /** It ended because it had taken as many as it should. */
  more: boolean;
}

async function walkChain(
  db: Db,
  heads: ReadonlyMap<number, Head>,
  { after, hash: begin, most }: Stretch,
): Promise<Walk> {
  let hash = begin;
  let last = after;
  if (after > 0 && (await hashAt(db, after)) !== begin)
    return { last, hash, bad: { seq: after, auditId: null, problem: '历史被重写：与校验上一步时不符' }, more: false };
  for (;;) {
    const limit = Math.min(BATCH, after + most - last);
    if (limit === 0) return { last, hash, bad: null, more: true };
    const { rows } = await sql<Sealed>`
      select s.seq, s.audit_id as "auditId", s.rule, s.hash, case when a.id is null then null else ${auditFields} end as fields
      from audit_seal s left join audit a on a.id = s.audit_id
      where s.seq > ${last} order by s.seq limit ${limit}`.execute(db);
    for (const seal of rows) {
      const problem = problemOf(seal, last + 1, hash, heads.get(seal.seq));
      if (problem) return { last, hash, bad: { seq: seal.seq, auditId: seal.auditId, problem }, more: false };
      hash = seal.hash;
      last = seal.seq;
    }
    if (rows.length < limit) return { last, hash, bad: null, more: false };
  }
}

async function hashAt(db: Db, seq: number): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string }>`select hash from audit_seal where seq = ${seq}`.execute(db);
  return rows[0]?.hash;
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
