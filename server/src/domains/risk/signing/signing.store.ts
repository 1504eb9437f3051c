import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ConsentSignature } from '@hengtai/contract/risk/signing/text';
import { SIGNING_ROSTER_DIGEST } from '@hengtai/contract/risk/signing/calls';
import { PROPOSAL } from '@hengtai/contract/risk/signing/facts';
import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

// The house has one roster, so these statements see all rows and callers run them with full scope.

export interface StoredKey {
  key: string;
  person: string;
  publicKey: string;
  createdAt: number;
}

/** @param operatorId whose keys; null for all */
export async function fetchKeys(db: Db, operatorId: number | null): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select key, person, public_key as "publicKey", created_at as "createdAt" from signing_key
    where ${operatorId}::bigint is null or operator_id = ${operatorId} order by id`.execute(db);
  return rows;
}

/** Returns false if the credential or the key is stored already. */
export async function insertKey(db: Db, row: StoredKey & { operatorId: number }): Promise<boolean> {
  const { rows } = await sql`
    insert into signing_key (key, operator_id, person, public_key, created_at)
    values (${row.key}, ${row.operatorId}, ${row.person}, ${row.publicKey}, ${row.createdAt})
    on conflict do nothing returning 1`.execute(db);
  return rows.length === 1;
}

export interface StoredRoster {
  version: number;
  text: string;
  digest: string;
  at: number;
  /** It came into force since consents can carry its digest, so they must. */
  needsDigest: boolean;
  /** What is signed now carries it: as above, or by the setting. */
  signsDigest: boolean;
}

/** The roster in force; undefined before the first. */
export async function findRoster(db: Db): Promise<StoredRoster | undefined> {
  const { rows } = await sql<StoredRoster>`${prepared}
    select version, text, digest, decided_at as at, signs_digest as "needsDigest",
      signs_digest or exists (select from config where key = ${SIGNING_ROSTER_DIGEST} and state = 1) as "signsDigest"
    from signing_proposal
    where kind = 'roster' and state = ${PROPOSAL.inForce} order by version desc limit 1`.execute(db);
  return rows[0];
}

/** The rosters after a version, in order. */
export async function fetchRosters(
  db: Db,
  after: number,
): Promise<(Pick<StoredRoster, 'version' | 'text' | 'digest'> & { createdAt: number })[]> {
  const { rows } = await sql<Pick<StoredRoster, 'version' | 'text' | 'digest'> & { createdAt: number }>`
    select version, text, digest, created_at as "createdAt" from signing_proposal
    where kind = 'roster' and state = ${PROPOSAL.inForce} and version > ${after} order by version`.execute(db);
  return rows;
}

export interface StoredProposal {
  id: number;
  kind: 'roster' | 'mandate';
  version: number;
  text: string;
  digest: string;
  state: number;
  by: string;
  createdAt: number;
  decidedAt: number | null;
}

const fields = sql`id, kind, version, text, digest, state, by_account as "by", created_at as "createdAt",
  decided_at as "decidedAt"`;

/** Open drafts and all mandates, the newest first. */
export async function fetchProposals(db: Db): Promise<StoredProposal[]> {
  const { rows } = await sql<StoredProposal>`select ${fields} from signing_proposal
    where state = ${PROPOSAL.open} or kind = 'mandate' order by id desc limit 200`.execute(db);
  return rows;
}

/** The mandates in force that were signed under a version of the roster, the oldest first. */
export async function fetchMandatesInForce(
  db: Db,
  roster: number,
): Promise<Pick<StoredProposal, 'id' | 'text' | 'digest' | 'createdAt'>[]> {
  const { rows } = await sql<Pick<StoredProposal, 'id' | 'text' | 'digest' | 'createdAt'>>`
    select id, text, digest, created_at as "createdAt" from signing_proposal
    where kind = 'mandate' and state = ${PROPOSAL.inForce} and version = ${roster} order by id`.execute(db);
  return rows;
}

export async function findProposal(db: Db, id: number): Promise<StoredProposal | undefined> {
  const { rows } = await sql<StoredProposal>`select ${fields} from signing_proposal where id = ${id}`.execute(db);
  return rows[0];
}

/** Open proposals with these digests. Locks them, so that concurrent signatures see each other. */
export async function lockOpenProposals(db: Db, digests: readonly string[]): Promise<StoredProposal[]> {
  const { rows } = await sql<StoredProposal>`select ${fields} from signing_proposal
    where digest = any(${[...digests]}::text[]) and state = ${PROPOSAL.open} order by id for no key update`.execute(db);
  return rows;
}

/** Returns undefined if an equal text is open or in force. */
export async function insertProposal(
  db: Db,
  row: Pick<StoredProposal, 'kind' | 'version' | 'text' | 'digest' | 'by' | 'createdAt'>,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into signing_proposal (kind, version, text, digest, state, by_account, created_at)
    values (${row.kind}, ${row.version}, ${row.text}, ${row.digest}, ${PROPOSAL.open}, ${row.by}, ${row.createdAt})
    on conflict do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** Moves a proposal from one state to another; false if it was no longer in it. */
export async function moveProposal(db: Db, id: number, from: number, to: number, now: number): Promise<boolean> {
  const { rows } = await sql`update signing_proposal set state = ${to}, decided_at = ${now}
    where id = ${id} and state = ${from} returning 1`.execute(db);
  return rows.length === 1;
}

/** Puts an open proposal into force; false if it was no longer open. */
export async function adoptProposal(db: Db, id: number, now: number): Promise<boolean> {
  const { rows } = await sql`
    update signing_proposal set state = ${PROPOSAL.inForce}, decided_at = ${now}, signs_digest = kind = 'roster'
    where id = ${id} and state = ${PROPOSAL.open} returning 1`.execute(db);
  return rows.length === 1;
}

/** Closes what a new roster makes invalid: other drafts of its version, and what needs an earlier version. */
export async function closeStale(db: Db, version: number, now: number): Promise<void> {
  await sql`update signing_proposal set state = ${PROPOSAL.closed}, decided_at = ${now}
    where version <= ${version} and (state = ${PROPOSAL.open}
      or kind = 'mandate' and version < ${version} and state = ${PROPOSAL.inForce})`.execute(db);
}

/** Closes every roster and mandate, and returns how many. */
export async function closeAllProposals(db: Db, now: number): Promise<number> {
  const { rows } = await sql`update signing_proposal set state = ${PROPOSAL.closed}, decided_at = ${now}
    where state <> ${PROPOSAL.closed} returning 1`.execute(db);
  return rows.length;
}

export interface StoredSignature extends ConsentSignature {
  person: string;
  at: number;
  roster: number;
}

const signatureFields = sql`s.key, s.consent, s.authenticator_data as "authenticatorData",
  s.client_data as "clientDataJSON", s.signature, s.person, s.signed_at as at, s.roster`;

export async function insertSignature(
  db: Db,
  row: StoredSignature & { operatorId: number; digests: readonly string[]; now: number },
): Promise<void> {
  await sql`
    insert into signature (operator_id, person, key, roster, digests, consent, authenticator_data, client_data, signature,
      signed_at, created_at)
    values (${row.operatorId}, ${row.person}, ${row.key}, ${row.roster}, ${[...row.digests]}::text[], ${row.consent},
      ${row.authenticatorData}, ${row.clientDataJSON}, ${row.signature}, ${row.at}, ${row.now})`.execute(db);
}

/**
 * The first signature of each person, under one version of the roster, for a proposal. Persons that differ only in case are one.
 * Earlier ones are of a closed proposal with the same text.
 */
export async function fetchSignatures(
  db: Db,
  { digest, createdAt }: Pick<StoredProposal, 'digest' | 'createdAt'>,
  roster: number,
): Promise<StoredSignature[]> {
  const { rows } = await sql<StoredSignature>`
    select distinct on (lower(s.person)) ${signatureFields} from signature s
    where s.digests @> array[${digest}::text] and s.roster = ${roster} and s.created_at >= ${createdAt}
    order by lower(s.person), s.id`.execute(db);
  return rows;
}

/** The latest signature of an operator for a text since a time. */
export async function findOwnSignature(
  db: Db,
  { operatorId, digest, roster, since }: { operatorId: number; digest: string; roster: number; since: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from signature where digests @> array[${digest}::text] and operator_id = ${operatorId}
      and roster = ${roster} and created_at > ${since} order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}

export interface PayoutTextRow {
  approvalId: number;
  withdrawId: number;
  attempt: number;
  text: string;
  createdAt: number;
}

export async function insertPayoutText(db: Db, row: PayoutTextRow): Promise<void> {
  await sql`insert into payout_text (approval_id, withdraw_id, attempt, text, created_at)
    values (${row.approvalId}, ${row.withdrawId}, ${row.attempt}, ${row.text}, ${row.createdAt})`.execute(db);
}

export async function addPayoutSignature(db: Db, approvalId: number, signatureId: number): Promise<void> {
  await sql`insert into payout_signature (approval_id, signature_id) values (${approvalId}, ${signatureId})
    on conflict do nothing`.execute(db);
}

/** The texts of these approvals. Limited to what row-level security and the approvals of the caller show. */
export async function fetchPayoutTexts(
  db: Db,
  approvalIds: readonly number[],
): Promise<{ id: number; text: string }[]> {
  const { rows } = await sql<{ id: number; text: string }>`
    select approval_id as id, text from payout_text where approval_id = any(${[...approvalIds]}::bigint[])
    order by approval_id`.execute(db);
  return rows;
}

/** The signatures that belong to the payout of an approval, in the order in which they were given. */
export async function fetchPayoutSignatures(db: Db, approvalId: number): Promise<StoredSignature[]> {
  const { rows } = await sql<StoredSignature>`
    select ${signatureFields} from payout_signature p join signature s on s.id = p.signature_id
    where p.approval_id = ${approvalId} order by s.id`.execute(db);
  return rows;
}

/** Every text of a withdrawal, the newest first; `ordered` if its approval was passed. */
export async function fetchPayoutsOf(
  db: Db,
  withdrawId: number,
): Promise<(Omit<PayoutTextRow, 'withdrawId'> & { ordered: boolean })[]> {
  const { rows } = await sql<Omit<PayoutTextRow, 'withdrawId'> & { ordered: boolean }>`
    select p.approval_id as "approvalId", p.attempt, p.text, p.created_at as "createdAt", a.state = ${sql.lit(APPROVAL.passed)} as ordered
    from payout_text p join approval a on a.id = p.approval_id
    where p.withdraw_id = ${withdrawId} order by p.approval_id desc`.execute(db);
  return rows;
}
