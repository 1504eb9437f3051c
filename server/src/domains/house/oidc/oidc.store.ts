import type { AgentDetail } from '@hengtai/contract/people/agent/schema';
import { OIDC_FACTOR_MINUTES, OIDC_FLOW_MINUTES } from '@hengtai/contract/house/oidc/calls';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import type { Credentials } from '../session/login.store.ts';

/** An account at the identity provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

export type Link = Pick<NonNullable<AgentDetail['oidc']>, 'subject' | 'by' | 'at' | 'passwordUntil'>;

/** The link of an operator; one to an earlier provider is none. */
export async function findLink(db: Db, operatorId: number, issuer: string): Promise<Link | undefined> {
  const { rows } = await sql<Link>`
    select subject, linked_by as "by", created_at as at, password_until as "passwordUntil" from oidc_link
    where operator_id = ${operatorId} and issuer = ${issuer}`.execute(db);
  return rows[0];
}

interface NewLink extends Identity {
  operatorId: number;
  /** Account of the operator that links it; null on the host. */
  by: string | null;
  now: number;
}

/** @returns false if the account at the provider is linked to another operator */
export async function insertLink(db: Db, { operatorId, issuer, subject, by, now }: NewLink): Promise<boolean> {
  const { rows } = await sql`insert into oidc_link (operator_id, issuer, subject, linked_by, created_at)
    values (${operatorId}, ${issuer}, ${subject}, ${by}, ${now}) on conflict (issuer, subject) do nothing
    returning operator_id`.execute(db);
  return rows.length === 1;
}

export async function deleteLink(db: Db, operatorId: number): Promise<void> {
  await sql`delete from oidc_link where operator_id = ${operatorId}`.execute(db);
}

/** @returns false if the operator is not linked to this provider */
export async function allowPassword(db: Db, operatorId: number, issuer: string, until: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update oidc_link set password_until = ${until}
    where operator_id = ${operatorId} and issuer = ${issuer}`.execute(db);
  return numAffectedRows === 1n;
}

/** The enabled operator that an account at the provider is linked to. */
export async function findLinkedOperator(db: Db, { issuer, subject }: Identity): Promise<Credentials | undefined> {
  const { rows } = await sql<Credentials>`
    select o.id, o.account, o.password_hash as "passwordHash", o.state, o.parent_id is null as top, o.abilities
    from oidc_link l join agent o on o.id = l.operator_id
    where l.issuer = ${issuer} and l.subject = ${subject} and o.state = 1 and o.deleted_at is null`.execute(db);
  return rows[0];
}

/** What the answer of the provider is compared with. */
export interface OpenFlow {
  state: string;
  nonce: string;
  verifier: string;
}

/** Inserts a login that waits for the provider, and deletes expired ones. */
export async function addFlow(db: Db, flowHash: string, flow: OpenFlow, now: number): Promise<void> {
  await sql`delete from oidc_login where expires_at <= ${now}`.execute(db);
  await sql`insert into oidc_login (flow_hash, state, nonce, verifier, expires_at)
    values (${flowHash}, ${flow.state}, ${flow.nonce}, ${flow.verifier}, ${now + OIDC_FLOW_MINUTES * 60_000})`.execute(
    db,
  );
}

/** Takes the answer of a login; undefined if it is unknown, expired or answered already. */
export async function takeFlow(db: Db, flowHash: string, now: number): Promise<OpenFlow | undefined> {
  const { rows } = await sql<OpenFlow>`update oidc_login set answered = true
    where flow_hash = ${flowHash} and not answered and expires_at > ${now} returning state, nonce, verifier`.execute(
    db,
  );
  return rows[0];
}

/** A login whose answer was verified. */
export interface AnsweredFlow {
  operatorId: number;
  subject: string;
  allowedAbilities: number[] | null;
}

/** Records the verified answer. A second factor may follow within a few minutes. */
export async function recordAnswer(db: Db, flowHash: string, answer: AnsweredFlow, now: number): Promise<void> {
  const allowed = answer.allowedAbilities && [...answer.allowedAbilities];
  await sql`update oidc_login set operator_id = ${answer.operatorId}, subject = ${answer.subject},
      allowed_abilities = ${allowed}::int[], expires_at = ${now + OIDC_FACTOR_MINUTES * 60_000}
    where flow_hash = ${flowHash}`.execute(db);
}

export async function findAnswered(db: Db, flowHash: string, now: number): Promise<AnsweredFlow | undefined> {
  const { rows } = await sql<AnsweredFlow>`
    select operator_id as "operatorId", subject, allowed_abilities as "allowedAbilities" from oidc_login
    where flow_hash = ${flowHash} and operator_id is not null and expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Locks a verified login until the transaction ends; false if it has opened a session already. */
export async function lockFlow(db: Db, flowHash: string): Promise<boolean> {
  const { rows } = await sql`select 1 from oidc_login where flow_hash = ${flowHash} for update`.execute(db);
  return rows.length === 1;
}

export async function deleteFlow(db: Db, flowHash: string): Promise<void> {
  await sql`delete from oidc_login where flow_hash = ${flowHash}`.execute(db);
}
