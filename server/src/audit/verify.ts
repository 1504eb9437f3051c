import { VERIFY_STEP } from '@hengtai/contract/audit';
import type { AuditVerdict } from '@hengtai/contract/audit.schema';
import { sql } from 'kysely';
import { type Db, scoped } from '../db/connect.ts';
import { type AuditKey, trustedKeys } from './audit-key.ts';
import { GENESIS, type SealedRow, auditFields } from './chain.ts';
import { type Anchors, type Bad, type Start, walkChain } from './check.ts';
import type { Head } from './head.ts';
import { findHeadUpTo, headReader } from './head.store.ts';
import { readCopies } from './heads.ts';

const BATCH = 5_000;
const HEADS_SHOWN = 5;

/** Which rows to walk. */
interface Range {
  after: number;
  /** The hash of row `after`. */
  hash: string;
  most: number;
}

const WHOLE: Range = { after: 0, hash: GENESIS, most: Number.POSITIVE_INFINITY };

/** The installation's key and the copy of the heads in AUDIT_DIR. */
export async function anchorsIn(auditDir: string, key: AuditKey | undefined): Promise<Anchors> {
  return { keys: key ? trustedKeys(key) : [], copies: await readCopies(auditDir) };
}

/**
 * Walks the whole chain and compares it with what is kept outside the database. Read the anchors first: a head younger
 * than the snapshot would look like a chain that was cut off.
 */
export const verifyChain = (db: Db, anchors: Anchors, range = WHOLE): Promise<AuditVerdict> =>
  scoped(db, { kind: 'all' }, 0, async (snapshot) => verifySnapshot(snapshot, anchors, range), 'read');

/**
 * One step of a long verification. The caller carries the hash from step to step, so what was walked cannot be exchanged
 * behind its back: the next row would no longer follow from it.
 */
export const verifyStep = (db: Db, anchors: Anchors, after: number, hash = GENESIS): Promise<AuditVerdict> =>
  verifyChain(db, anchors, { after, hash, most: VERIFY_STEP });

/** The same as `verifyChain` for a snapshot that the caller holds. */
export async function verifySnapshot(snapshot: Db, anchors: Anchors, range = WHOLE): Promise<AuditVerdict> {
  const hasHeads = await hasHeadTable(snapshot);
  const counted = await countRows(snapshot, hasHeads);
  const isPart = (): boolean => range.after + range.most < counted.total;
  const start: Start = { seq: range.after, hash: range.hash, head: undefined };
  if (hasHeads && range.after > 0) start.head = await findHeadUpTo(snapshot, range.after);
  const nextHead = hasHeads
    ? headReader(snapshot, start.head === undefined ? undefined : start.head.number + 1)
    : () => Promise.resolve<Head | undefined>(undefined);
  const exchanged = range.after > 0 && (await findHash(snapshot, range.after)) !== range.hash;
  const walk = exchanged
    ? { last: range.after, hash: range.hash, bad: EXCHANGED(range.after), unanchored: null }
    : await walkChain(readRows(snapshot, range), nextHead, anchors, { start, isPart });
  const slippedIn = walk.bad === null && !isPart() ? await findUnsealed(snapshot) : null;
  // An older schema has no heads; its backups are verified as they are.
  const unanchored = hasHeads && slippedIn === null ? walk.unanchored : null;
  const firstBad = walk.bad ?? slippedIn ?? unanchored;
  const next = isPart() && firstBad === null ? { after: walk.last, hash: walk.hash } : null;
  const lastHeads = hasHeads ? await fetchLastHeads(snapshot) : [];
  const copies = anchors.copies.length;
  return {
    ok: firstBad === null,
    anchored: unanchored === null,
    sealed: walk.last,
    ...counted,
    copies,
    next,
    lastHeads,
    firstBad,
  };
}

const EXCHANGED = (seq: number): Bad => ({ seq, auditId: null, problem: '历史被重写：与校验上一步时不符' });

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

/** The sealed rows of a range, in order. */
export async function* readRows(
  db: Db,
  { after, most }: Pick<Range, 'after' | 'most'> = WHOLE,
): AsyncGenerator<SealedRow> {
  let last = after;
  for (let left = most; left > 0;) {
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
    select number, rows as seq, hash, at from audit_head order by number desc limit ${HEADS_SHOWN}`.execute(db);
  return rows;
}

/** A row that is neither sealed nor waiting was slipped past the sealer, or its seal was taken away. */
async function findUnsealed(db: Db): Promise<Bad | null> {
  const { rows } = await sql<{ id: number }>`
    select a.id from audit a
    where not exists (select from audit_seal s where s.audit_id = a.id)
      and not exists (select from audit_pending p where p.audit_id = a.id)
    order by a.id limit 1`.execute(db);
  return rows[0] ? { seq: 0, auditId: rows[0].id, problem: '记录未入链' } : null;
}
