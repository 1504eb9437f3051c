import { findAuditKey } from '../host/audit-key.ts';
import { findSecretKeys } from '../host/secret-key.ts';
import { type Db, inTransaction } from '../database/connect.ts';
import type { Env } from '../programs/env.ts';
import { checkKeys } from '../programs/key-check.ts';
import { type Finding, good, problem, warning } from './finding.ts';
import { type KeyState, describeKey, findKeyStates } from './key-state.ts';

/** Whether the keys fit the database, and which rotation is not finished. */
export const checkKeyRotation = (pool: Db, env: Env): Promise<Finding[]> =>
  inTransaction(pool, async (db) => {
    const audit = findAuditKey(env.dataDir, env.auditDir);
    if (!audit) return [good('keys', 'the first start creates them')];
    try {
      await checkKeys(db, { otp: findSecretKeys(env.dataDir, env), audit });
    } catch (error) {
      return [problem('keys', (error as Error).message, 'see the message')];
    }
    return (await findKeyStates(db, env)).map(findingOf);
  });

function findingOf(key: KeyState): Finding {
  const text = describeKey(key);
  if (key.role === 'next') return warning('keys', text, `run "hengtai keys rotate ${key.kind}"`);
  if (key.role === 'current' && key.holders < key.servers)
    return warning('keys', text, 'give the key to every server: copy its file, or set its variable');
  return key.role === 'previous'
    ? warning('keys', text, `once nothing uses it, run "hengtai keys remove ${key.kind}"`)
    : good('keys', text);
}
