import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** Number of the current hash rule. Each seal stores the rule it was made with, so that it stays verifiable. */
export const RULE = 1;
/** The previous hash of the first row and of the first head; the same as in `scripts/verify-audit.mjs`. */
export const GENESIS = '0'.repeat(64);

/** The fields of an audit row as texts, in the order of rule 1. */
export type AuditFields = readonly (string | null)[];

/** A seal and the audit row that it covers; `fields` is null if the audit row is missing. */
export interface SealedRow {
  seq: number;
  auditId: number;
  rule: number;
  hash: string;
  fields: AuditFields | null;
}

/** Selects the fields that rule 1 hashes, as one array of texts. */
export const auditFields: RawBuilder<AuditFields> = sql<AuditFields>`array[
  a.id::text, a.operator_id::text, a.operator, a.session_id::text, a.ip, a.user_agent, a.action, a.target_type,
  a.target_id::text, a.user_id::text, a.account, a.agent_id::text, a.before::text, a.after::text, a.reason,
  a.approval_id::text, a.result::text, a.request_id, a.created_at::text, a.recorded_at::text]`;

/** Encodes each field with its length in bytes as prefix ("-" for null), so that no two lists have the same encoding. */
export const encodeFields = (fields: AuditFields): string =>
  fields.map((field) => (field === null ? '-\n' : `${Buffer.byteLength(field)}\n${field}`)).join('');

/**
 * Rule 1: SHA-256 in hex over the rule, the sequence number, the previous hash and every field of the audit row.
 *
 * @throws Error for an unknown rule
 */
export function sealHash(rule: number, seq: number, previous: string, fields: AuditFields): string {
  if (rule !== RULE)
    throw new Error(
      `The audit chain has a row sealed by rule ${rule}, which this release does not know: use a newer one.`,
    );
  return createHash('sha256')
    .update(encodeFields([String(rule), String(seq), previous, ...fields]))
    .digest('hex');
}
