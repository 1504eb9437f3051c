import { findSigner } from '../books/audit/sealer.ts';
import { findLastHead } from '../books/audit/head.store.ts';
import { type AuditKey, fingerprintOf, listSigningKeys } from '../host/audit-key.ts';
import type { SecretKeys } from '../host/secret-key.ts';
import { checkSecretKeys } from '../domains/house/otp/secret-key.steps.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import type { Db } from '../database/connect.ts';

/**
 * Checks that the keys of this process fit the database: they decrypt its secrets, and one of them signs the next head.
 *
 * @throws ConfigurationError that names the missing key
 */
export async function checkKeys(db: Db, keys: { otp: SecretKeys | undefined; audit: AuditKey }): Promise<void> {
  await checkSecretKeys(keys.otp, db);
  const head = await findLastHead(db);
  if (!head || (await findSigner(db, keys.audit, head))) return;
  const held = listSigningKeys(keys.audit).map(({ fingerprint }) => fingerprint);
  const needed = fingerprintOf(head.key);
  throw new ConfigurationError(
    `The audit chain is signed with the key ${needed}, but audit-key.json holds ${held.join(', ')}: copy audit-key.json ` +
      `from the machine that signed it; if that key is lost, add "replaces": "${needed}". 审计密钥不符。`,
  );
}
