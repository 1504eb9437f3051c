import { sql } from 'kysely';
import type { App } from '../../app/context.ts';
import type { Db } from '../../database/connect.ts';
import { type AuditFields, auditFields } from './chain.ts';
import { HANDOVER, Signers, handoverIn } from './handover.ts';
import { type EarlierHead, appendHeads, findLastCopy, readLastHead, writeLastHead } from './heads.ts';
import { type Head, headLine, isSameHead, isSigned, linkTo } from './head.ts';

const BATCH = 1_000;
const columns = sql`number, previous, rows, hash, at, key, signature`;

export async function findLastHead(db: Db): Promise<Head | undefined> {
  const { rows } = await sql<Head>`select ${columns} from audit_head order by number desc limit 1`.execute(db);
  return rows[0];
}

/** Fetches the last head that covers no row after `seq`. */
export async function findHeadUpTo(db: Db, seq: number): Promise<Head | undefined> {
  const { rows } = await sql<Head>`
    select ${columns} from audit_head where rows <= ${seq} order by rows desc, number desc limit 1`.execute(db);
  return rows[0];
}

/** A sealed handover of the signing key, and the head that covers it, if there is one yet. */
interface SealedHandover {
  seq: number;
  fields: AuditFields;
  number: number | null;
  key: string | null;
}

/** The target makes the rows few: `audit_of_target` finds them among millions. */
async function fetchHandovers(db: Db, upTo: number): Promise<SealedHandover[]> {
  const { rows } = await sql<SealedHandover>`
    select s.seq, ${auditFields} as fields, h.number, h.key
    from audit a join audit_seal s on s.audit_id = a.id
      left join lateral (select number, key from audit_head where rows >= s.seq order by rows limit 1) h on true
    where a.target_type = ${HANDOVER.targetType} and a.action = ${HANDOVER.action} and s.seq <= ${upTo}
    order by s.seq`.execute(db);
  return rows;
}

/**
 * The signers of a chain at row `seq`, whose last head is `head`. The rows before it are not checked here.
 *
 * @param roots fingerprints that are trusted without a handover, the oldest first
 */
export async function findSigners(
  db: Db,
  roots: readonly string[],
  { seq, head }: { seq: number; head: Head | undefined },
): Promise<Signers> {
  const signers = new Signers(roots);
  const handovers = await fetchHandovers(db, seq);
  const covered = handovers.filter(({ number }) => head && number !== null && number <= head.number);
  for (const [index, { fields, number, key }] of covered.entries()) {
    signers.takeRow(fields);
    const isLastOfHead = covered[index + 1]?.number !== number;
    if (isLastOfHead && number !== head?.number && key !== null && signers.accepts(key)) signers.takeHead(key);
  }
  if (head && signers.accepts(head.key)) signers.takeHead(head.key);
  for (const { fields } of handovers.slice(covered.length)) signers.takeRow(fields);
  return signers;
}

/** Whether a handover waits for the sealer. */
export async function hasPendingHandover(db: Db): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select a.id from audit_pending p join audit a on a.id = p.audit_id
    where a.target_type = ${HANDOVER.targetType} and a.action = ${HANDOVER.action} limit 1`.execute(db);
  return rows.length > 0;
}

/** Public key that signs the head after `head`: its own, or the one it handed over to. */
export async function findNextKey(db: Db, head: Head): Promise<string> {
  const handovers = await fetchHandovers(db, head.rows);
  const used = new Set([head.key]);
  for (const { fields, number } of handovers) {
    const handover = handoverIn(fields);
    if (!handover) continue;
    if (number === head.number && handover.from === head.key && !used.has(handover.to)) return handover.to;
    used.add(handover.from).add(handover.to);
  }
  return head.key;
}

/** Returns a function that reads heads one by one, in order, from number `first` on; undefined after the last. */
export function makeHeadReader(db: Db, first = Number.MIN_SAFE_INTEGER): () => Promise<Head | undefined> {
  let batch: Head[] = [];
  let next = first;
  return async () => {
    if (batch.length === 0) batch = await fetchHeads(db, next);
    const head = batch.shift();
    if (head) next = head.number + 1;
    return head;
  };
}

async function fetchHeads(db: Db, first: number): Promise<Head[]> {
  const { rows } = await sql<Head>`
    select ${columns} from audit_head where number >= ${first} order by number limit ${BATCH}`.execute(db);
  return rows;
}

export async function insertHead(db: Db, { number, previous, rows, hash, at, key, signature }: Head): Promise<void> {
  await sql`insert into audit_head (number, previous, rows, hash, at, key, signature)
    values (${number}, ${previous}, ${rows}, ${hash}, ${at}, ${key}, ${signature})`.execute(db);
}

/** Fetches the clock of the database in unix milliseconds. */
export async function readDatabaseClock(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(db);
  return rows[0]?.at ?? 0;
}

/** Finds the first head of an earlier release that contradicts the seals. */
export async function findDisagreement(db: Db, heads: readonly EarlierHead[]): Promise<EarlierHead | undefined> {
  const { rows } = await sql<EarlierHead>`
    select h.seq, h.hash from unnest(${heads.map(({ seq }) => seq)}::bigint[], ${heads.map(({ hash }) => hash)}::text[])
      as h(seq, hash)
    where not exists (select from audit_seal s where s.seq = h.seq and s.hash = h.hash)
    order by h.seq limit 1`.execute(db);
  return rows[0];
}

/**
 * Copies heads that are missing in AUDIT_DIR to it and to standard output, and the last one to the file beside the key.
 *
 * @throws Error if the heads of the database do not continue those in AUDIT_DIR or the one beside the key. The sealer must
 *   then sign nothing, because a new head would certify a changed history.
 */
export async function copyHeads({ auditDir, auditKey, printLine }: App, db: Db): Promise<void> {
  let last = await findLastCopy(auditDir);
  const kept = await readLastHead(auditKey);
  if (kept && !(last && isSameHead(kept, last))) {
    const [head] = await fetchHeads(db, kept.number);
    if (!head || !isSameHead(head, kept)) throw discontinuityError(kept.number);
  }
  for (;;) {
    const heads = await fetchHeads(db, last?.number ?? Number.MIN_SAFE_INTEGER);
    const missing = last ? heads.slice(1) : heads;
    if (last && !(heads[0] && isSameHead(heads[0], last))) throw discontinuityError(last.number);
    for (const head of missing) {
      if (head.number !== (last?.number ?? 0) + 1 || head.previous !== linkTo(last) || !isSigned(head))
        throw discontinuityError(head.number);
      last = head;
    }
    if (missing.length === 0) break;
    await appendHeads(auditDir, missing);
    for (const head of missing) printLine(headLine(head));
  }
  if (last && last.number !== kept?.number) await writeLastHead(auditKey, last);
}

const discontinuityError = (number: number): Error =>
  new Error(
    `Head ${number} of the audit chain does not continue the copies outside the database: nothing is sealed until this is ` +
      `cleared up. Run npm run audit:verify.`,
  );
