import { VERIFY_STEP } from '@hengtai/contract/house/audit/calls';
import type { AuditVerdict } from '@hengtai/contract/house/audit/schema';
import { sql } from 'kysely';
import { type Db, runInScope } from '../../database/connect.ts';
import { type AuditKey, rootsOf } from '../../host/audit-key.ts';
import { GENESIS, type SealedRow, auditFields } from './chain.ts';
import { type Anchors, type AuditProblem, type WalkStart, walkChain } from './check.ts';
import type { Head } from './head.ts';
import { findHeadUpTo, findSigners, makeHeadReader } from './head.store.ts';
import { readCopies, readLastHead } from './heads.ts';

const BATCH = 5_000;
const LAST_HEADS = 5;

/** The rows to verify: at most `count` rows after row `after`. */
interface Range {
  after: number;
  /** Hash of row `after`. */
  hash: string;
  count: number;
}

const ALL: Range = { after: 0, hash: GENESIS, count: Number.POSITIVE_INFINITY };

/** Reads the copies of the heads in AUDIT_DIR and beside the key; trusts the key of the installation. */
export async function loadAnchors(auditDir: string, key: AuditKey | undefined): Promise<Anchors> {
  const lastHead = key && (await readLastHead(key));
  return { keys: key ? rootsOf(key) : [], copies: await readCopies(auditDir), ...(lastHead && { lastHead }) };
}

/**
 * Verifies the chain against the anchors, in one snapshot. Read the anchors first: a head that is newer than the snapshot
 * would look as if the end of the chain were cut off.
 */
export const verifyChain = (db: Db, anchors: Anchors, range = ALL): Promise<AuditVerdict> =>
  runInScope(db, { kind: 'all' }, 0, async (snapshot) => verifySnapshot(snapshot, anchors, range), 'read');

/**
 * Verifies one step of a long chain. The caller passes the hash of the previous step, so that rows verified earlier cannot
 * be replaced unnoticed between two steps.
 */
export const verifyStep = (db: Db, anchors: Anchors, after: number, hash = GENESIS): Promise<AuditVerdict> =>
  verifyChain(db, anchors, { after, hash, count: VERIFY_STEP });

/** As `verifyChain`, in the caller's snapshot. */
export async function verifySnapshot(snapshot: Db, anchors: Anchors, range = ALL): Promise<AuditVerdict> {
  const hasHeads = await hasHeadTable(snapshot);
  const counts = await countRows(snapshot, hasHeads);
  const isPart = (): boolean => range.after + range.count < counts.total;
  const start: WalkStart = { seq: range.after, hash: range.hash, head: undefined };
  if (hasHeads && range.after > 0) {
    start.head = await findHeadUpTo(snapshot, range.after);
    start.signers = await findSigners(snapshot, anchors.keys, start);
  }
  const nextHead = hasHeads
    ? makeHeadReader(snapshot, start.head === undefined ? undefined : start.head.number + 1)
    : () => Promise.resolve<Head | undefined>(undefined);
  const isReplaced = range.after > 0 && (await findHash(snapshot, range.after)) !== range.hash;
  const walk = isReplaced
    ? { last: range.after, hash: range.hash, bad: replacedRow(range.after), unanchored: null }
    : await walkChain(readRows(snapshot, range), nextHead, anchors, { start, isPart });
  const unsealed = walk.bad === null && !isPart() ? await findUnsealed(snapshot) : null;
  // The schema of an earlier release has no heads; its backups are verified without anchors.
  const unanchored = hasHeads && unsealed === null ? walk.unanchored : null;
  const firstBad = walk.bad ?? unsealed ?? unanchored;
  const next = isPart() && firstBad === null ? { after: walk.last, hash: walk.hash } : null;
  const lastHeads = hasHeads ? await fetchLastHeads(snapshot) : [];
  const copies = anchors.copies.length;
  return {
    ok: firstBad === null,
    anchored: unanchored === null,
    sealed: walk.last,
    ...counts,
    copies,
    next,
    lastHeads,
    firstBad,
  };
}

const replacedRow = (seq: number): AuditProblem => ({ seq, auditId: null, problem: '历史被重写：与校验上一步时不符' });

async function hasHeadTable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select to_regclass('audit_head') is not null as known`.execute(db);
  return rows[0]?.known === true;
}

async function countRows(db: Db, hasHeads: boolean): Promise<{ pending: number; total: number; heads: number }> {
  const heads = hasHeads ? sql`(select count(*) from audit_head)` : sql`0`;
  const { rows } = await sql<{ pending: number; total: number; heads: number }>`
    select (select count(*) from audit_pending) as pending, (select coalesce(max(seq), 0) from audit_seal) as total,
      ${heads} as heads`.execute(db);
  return rows[0] ?? { pending: 0, total: 0, heads: 0 };
}

/** Reads the sealed rows of a range, in order. */
export async function* readRows(
  db: Db,
  { after, count }: Pick<Range, 'after' | 'count'> = ALL,
): AsyncGenerator<SealedRow> {
  let last = after;
  for (let left = count; left > 0;) {
    const limit = Math.min(BATCH, left);
    const { rows } = await sql<SealedRow>`
      select s.seq, s.audit_id as "auditId", s.rule, s.hash, case when a.id is null then null else ${auditFields} end as fields
      from audit_seal s left join audit a on a.id = s.audit_id
      where s.seq > ${last} order by s.seq limit ${limit}`.execute(db);
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1)?.seq ?? last;
    left -= rows.length;
  }
}

async function findHash(db: Db, seq: number): Promise<string | undefined> {
  const { rows } = await sql<{ hash: string }>`select hash from audit_seal where seq = ${seq}`.execute(db);
  return rows[0]?.hash;
}

async function fetchLastHeads(db: Db): Promise<AuditVerdict['lastHeads']> {
  const { rows } = await sql<AuditVerdict['lastHeads'][number]>`
    select number, rows as seq, hash, at from audit_head order by number desc limit ${LAST_HEADS}`.execute(db);
  return rows;
}

/** Finds an audit row that is neither sealed nor pending: it was inserted past the sealer, or its seal was deleted. */
async function findUnsealed(db: Db): Promise<AuditProblem | null> {
  const { rows } = await sql<{ id: number }>`
    select a.id from audit a
    where not exists (select from audit_seal s where s.audit_id = a.id)
      and not exists (select from audit_pending p where p.audit_id = a.id)
    order by a.id limit 1`.execute(db);
  return rows[0] ? { seq: 0, auditId: rows[0].id, problem: '记录未入链' } : null;
}
