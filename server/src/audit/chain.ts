import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** The rule by which rows are hashed now. Each seal keeps the number of its own, so that old ones stay verifiable. */
export const RULE = 1;
/** What the first row and the first head are chained to. */
export const GENESIS = '0'.repeat(64);

/** The audit row as text, field by field, in the order of rule 1. */
export type AuditFields = readonly (string | null)[];

/** A sealed row with the audit row it covers; `fields` is null where the audit row is missing. */
export interface SealedRow {
  seq: number;
  auditId: number;
  rule: number;
  hash: string;
  fields: AuditFields | null;
}

/** Selects exactly what rule 1 hashes, as one array of texts. */
export const auditFields: RawBuilder<AuditFields> = sql<AuditFields>`array[
  a.id::text, a.operator_id::text, a.operator, a.session_id::text, a.ip, a.user_agent, a.action, a.target_type,
  a.target_id::text, a.user_id::text, a.account, a.agent_id::text, a.before::text, a.after::text, a.reason,
  a.approval_id::text, a.result::text, a.request_id, a.created_at::text, a.recorded_at::text]`;

/**
 * Each field with its length in bytes before it ("-" for null), so that no content can move a border between two fields.
 */
export const encodeFields = (fields: AuditFields): string =>
  fields.map((field) => (field === null ? '-\n' : `${Buffer.byteLength(field)}\n${field}`)).join('');

/** Rule 1: SHA-256 in hex over rule, seq, the hash before and every field of the audit row. */
export function sealHash(rule: number, seq: number, previous: string, fields: AuditFields): string {
  if (rule !== RULE)
    throw new Error(`The audit chain has a row sealed by rule ${rule}, which this program does not know.`);
  return createHash('sha256')
    .update(encodeFields([String(rule), String(seq), previous, ...fields]))
    .digest('hex');
}
